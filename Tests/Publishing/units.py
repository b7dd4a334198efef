# SPDX-License-Identifier: Apache-2.0
"""Runs the units of share/systemd with systemd, in a separate name space whose root is a layer over
this machine's files."""

import os
import pathlib
import shutil
import subprocess

SYSTEMD = "/lib/systemd/systemd"

# Creates the root, and is process 1 in it. All that it writes is in a layer in memory, except for
# /out.
BOOT = r"""
set -e
cd "$FOLDER"
mkdir layer root
mount -t tmpfs tmpfs layer
mkdir layer/upper layer/work
mount -t overlay overlay -o lowerdir=/,upperdir=layer/upper,workdir=layer/work root
cd root
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
for place in run tmp dev; do mount -t tmpfs tmpfs $place; done
for node in null zero full random urandom tty; do touch dev/$node; mount --bind /dev/$node dev/$node; done
mkdir dev/pts dev/shm out
mount -t devpts devpts dev/pts -o newinstance
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount --bind "$FOLDER/out" out
rm -rf etc/systemd/system/*.wants
mkdir -p etc/otolith/mqtt etc/sysusers.d usr/lib/otolith-test
cp "$OTOLITH" usr/local/bin/otolith
# The unit cannot see the folders of users, in which the compiler's libraries may be.
ldd "$OTOLITH" | awk '$3 ~ /^\// { print $3 }' | while read -r library; do cp -L "$library" usr/lib/otolith-test/; done
cp "$ROOT"/share/systemd/*.service etc/systemd/system/
mkdir -p usr/share/dbus-1/system.d
cp "$ROOT"/share/dbus-1/system.d/* usr/share/dbus-1/system.d/
cp "$ROOT/boards/simulated-all.yaml" etc/otolith/board.yaml
cp "$FOLDER/login" "$FOLDER/ca.pem" etc/otolith/mqtt/
chmod 600 etc/otolith/mqtt/*
cat > etc/systemd/system/units.service << END
[Unit]
DefaultDependencies=no
# If this unit is loaded, it has the bus name of our unit, which starts nevertheless.
After=iio-sensor-proxy.service
[Service]
Type=oneshot
ExecStart=/bin/bash /out/test
StandardOutput=append:/out/log
StandardError=append:/out/log
END
for unit in otolith otolith-publish otolith-sensor-proxy; do
  mkdir -p etc/systemd/system/$unit.service.d
  cat > etc/systemd/system/$unit.service.d/test.conf << END
[Service]
Environment=LD_LIBRARY_PATH=/usr/lib/otolith-test
StandardOutput=append:/out/$unit
StandardError=append:/out/$unit
END
done
mount --make-rshared .
exec chroot . /usr/bin/env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin systemd-start --system --unit=units.service
"""

# Runs in the name space. The broker requires TLS and a password.
TEST = r"""
export LD_LIBRARY_PATH=/usr/lib/otolith-test
otolith() { /usr/local/bin/otolith "$@"; }
users() { stat -c %U "/proc/$(systemctl show -p MainPID --value "$1")"; }
otolith install --print sysusers > /etc/sysusers.d/otolith.conf
systemd-sysusers
otolith install --print service --program /usr/local/bin/otolith > /etc/systemd/system/otolith.service
otolith install --print socket > /etc/systemd/system/otolith.socket
echo 'OTOLITH_PUBLISH=mqtts://127.0.0.1/home/desk --rate motion=20 --duration 4' > /etc/otolith/publish.env
cp /out/server.* /run/
cp /out/ca.pem /run/server-ca.pem
mosquitto_passwd -b -c /run/users me 'a secret'
chown mosquitto /run/users /run/server.*
printf '%s\n' 'listener 8883 127.0.0.1' 'allow_anonymous false' 'password_file /run/users' 'cafile /run/server-ca.pem' \
  'certfile /run/server.pem' 'keyfile /run/server.key' > /run/mosquitto.conf
LD_LIBRARY_PATH= /usr/sbin/mosquitto -c /run/mosquitto.conf > /out/mosquitto 2>&1 &
unset LD_LIBRARY_PATH
systemctl daemon-reload
systemctl start dbus.socket dbus.service otolith.socket
systemctl start otolith-publish.service otolith-sensor-proxy.service
users otolith-publish.service > /out/user-otolith-publish
users otolith-sensor-proxy.service > /out/user-otolith-sensor-proxy
stat -c '%U %a' /var/lib/private/otolith-publish > /out/spool
timeout 5 monitor-sensor > /out/monitor 2>&1
# The socket has started the service.
users otolith.service > /out/user-otolith
for _ in $(seq 100); do
  systemctl is-active --quiet otolith-publish.service || break
  sleep 0.2
done
systemctl show -p Result,ExecMainStatus otolith-publish.service > /out/ending
systemctl stop otolith-sensor-proxy.service
touch /out/done
systemctl exit 0
"""


def obstacle():
    """Returns the reason why this machine cannot run the units; None if it can."""
    if os.geteuid() != 0:
        return "only root can mount"
    if not os.path.exists(SYSTEMD):
        return "there is no systemd"
    if subprocess.run(["unshare", "-n", "-m", "-p", "-u", "-i", "-C", "-f", "true"], capture_output=True).returncode:
        return "there are no name spaces to be had"
    return None


def run(otolith, folder, authority):
    """Runs the units. Returns the files that they left in /out, by name."""
    folder = pathlib.Path(folder)
    out = folder / "out"
    out.mkdir()
    for name in ["ca.pem", "server.pem", "server.key"]:
        shutil.copy(pathlib.Path(authority.folder) / name, out)
    (folder / "login").write_text("me\na secret\n")
    (out / "test").write_text(TEST)
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    with open(out / "boot", "wb") as log:
        subprocess.run(
            ["timeout", "--kill-after=5", "90", "unshare", "-n", "-m", "-p", "-u", "-i", "-C", "-f", "--propagation", "private", "--kill-child",
             "bash", "-c", BOOT.replace("systemd-start", SYSTEMD)],
            stdout=log, stderr=log, env=os.environ | {"FOLDER": str(folder), "OTOLITH": otolith, "ROOT": str(root)})
    return {path.name: path.read_text(errors="replace") for path in out.iterdir()}
