# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Where Debian's files come from and where what is made of them is kept; for the scripts beside, which source it.

# Nothing of it lies in the checkout, and all of it may be deleted at any time.
cache=${OTOLITH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/otolith}

stop() {
  echo "otolith: $1" >&2
  exit "${2:-69}" # EX_UNAVAILABLE
}

# The scripts mount, change root and keep owners.
as_root() {
  [ "$(id -u)" = 0 ] && return
  command -v sudo > /dev/null || stop "$(basename "$0") has to be run by root"
  exec sudo OTOLITH_CACHE="$cache" "$0" "$@"
}

# The mirror that this machine's own apt has Debian from.
mirror() {
  local site
  site=$(apt-get indextargets --format '$(SITE)' 'Origin: Debian' 'Label: Debian' 'Created-By: Packages' 2> /dev/null |
    head -n 1)
  echo "${site:-http://deb.debian.org/debian}"
}

# of_debian ARCH: the words of Swift for what Debian and apt call ARCH. The triple is the one that the modules of Debian's Swift
# are named by, for the compiler finds them by its own spelling alone.
of_debian() {
  case $1 in
    arm64) machine=aarch64 triple=aarch64-unknown-linux-gnu ;;
    amd64) machine=x86_64 triple=x86_64-pc-linux-gnu ;;
    *) stop "ARCH=$1 is not known; expected arm64 or amd64" 64 ;;
  esac
  libraries=$machine-linux-gnu
}

# The release of GCC whose C++ library a suite has, and its package of libgpiod.
of_suite() {
  case $1 in
    trixie) gcc=14 gpiod=libgpiod3 ;;
    bookworm) gcc=12 gpiod=libgpiod2 ;;
    *) stop "SUITE=$1 is not known; expected trixie or bookworm" 64 ;;
  esac
}

# apt_of FOLDER ARCH SUITE: lets apt be another machine's; FOLDER has its lists and its packages.
apt_of() {
  local folder=$1 key=/usr/share/keyrings/debian-archive-keyring.gpg
  mkdir -p "$folder"/lists/partial "$folder"/cache/archives/partial
  : > "$folder/status"
  echo "deb [signed-by=$key] $(mirror) $3 main" > "$folder/sources.list"
  cat > "$folder/apt.conf" << END
Dir::State "$folder";
Dir::State::lists "$folder/lists";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
Dir::Etc::SourceList "$folder/sources.list";
Dir::Etc::SourceParts "-";
APT::Architecture "$2";
APT::Architectures { "$2"; };
APT::Sandbox::User "$(id -un)";
Acquire::Languages "none";
END
  export APT_CONFIG=$folder/apt.conf
  [ -n "$(ls "$folder/lists" | grep _Packages || true)" ] || apt-get --quiet --quiet update
}

# fetch FOLDER ARCH SUITE COMMAND...: apt-get for another machine than this one.
fetch() (
  apt_of "$1" "$2" "$3"
  cd "$1/cache/archives"
  apt-get --quiet --yes --no-install-recommends "${@:4}"
)

# unpack FOLDER PACKAGE...: files of packages as if they were installed in FOLDER; nothing of them is run.
unpack() {
  local folder=$1 package link target
  shift
  # /usr is merged; libc.so of amd64 names its loader in /lib64.
  for target in lib lib64; do
    mkdir -p "$folder/usr/$target"
    ln -sfn "usr/$target" "$folder/$target"
  done
  for package; do dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$folder"; done
  # What is linked from the root of the system is another machine's there, or nothing: bookworm's libm.so is.
  find "$folder" -type l -lname '/*' -printf '%p\t%l\n' | while IFS=$'\t' read -r link target; do
    ln -sfn --relative "$folder$target" "$link"
  done
}

# complete LIBRARIES: Debian has the module _Testing_Foundation, which is imported with Testing and Foundation, and not its library.
# The tests use nothing of it, and an empty one links.
complete() {
  [ -e "$1/lib_Testing_Foundation.so" ] || printf '!<arch>\n' > "$1/lib_Testing_Foundation.a"
}
