# What the scripts of the WebDAV servers share; sourced. A script has `need`, which sees to its programs, and `prepare`, which
# writes the configuration and sets `command`: the server in the foreground, with DIR among its arguments. Then comes
# `main "$@"`. `prepare` finds DIR, PORT, PERSON, PASSWORD, $use_tls, and for TLS DIR/cert.pem and DIR/key.pem.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
PATH=$PATH:/usr/sbin:/sbin
# invoke-rc.d(8) then starts no service when a package is installed.
export RUNLEVEL=1
PERSON=thesis
# The collection that is given to docdrive.
collection=files
has_tls=false

# need_file FILE PACKAGE...: for what is no program.
need_file() {
    local file=$1
    shift
    [ -e "$file" ] && return
    need_debian "$file" "$@"
}

main() {
    case ${1:-} in
        start)
            [ $# = 2 ] || usage
            if $use_tls && ! $has_tls; then usage; fi
            start "$2"
            ;;
        stop) [ $# = 2 ] || usage; stop_daemons "$(realpath -m "$2")" ;;
        check) may_install=false; need ;;
        *) usage ;;
    esac
}

start() {
    local attempt
    need
    need_debian curl curl
    DIR=$(fresh_folder "$1")
    mkdir -p "$DIR/root/files" "$DIR/tmp" "$DIR/log"
    PASSWORD=$(openssl rand -hex 16)
    # For no name, so that a test can see one refused.
    if $use_tls; then make_certificates "$DIR" IP:127.0.0.1; fi
    # The port may be taken between the asking and the start.
    for attempt in 1 2 3; do
        PORT=$(free_port)
        prepare
        start_daemon "$DIR" server "${command[@]}"
        if wait_until 20 answers; then
            say_where
            return
        fi
        stop_daemons "$DIR"
    done
    say "does not start; its last words:"
    tail -n 5 "$DIR"/log/* >&2
    exit 1
}

# Whether the server knows who asks. The password goes by the standard input, since others see arguments.
answers() {
    local scheme=http
    if $use_tls; then scheme=https; fi
    curl --silent --fail --insecure --noproxy '*' --max-time 5 --output /dev/null --config - <<END
url = "$scheme://127.0.0.1:$PORT/$collection/"
user = "$PERSON:$PASSWORD"
request = "PROPFIND"
header = "Depth: 1"
header = "Content-Type: application/xml"
data = "<propfind xmlns='DAV:'><prop><resourcetype/></prop></propfind>"
END
}

htpasswd_line() { printf '%s:%s\n' "$PERSON" "$(openssl passwd -apr1 -stdin <<<"$PASSWORD")"; }

say_where() {
    local url="webdav://$PERSON@127.0.0.1:$PORT/$collection"
    if $use_tls; then url="webdavs://$PERSON@127.0.0.1:$PORT/$collection?ca=$DIR/ca.pem"; fi
    {
        echo "URL=$url"
        echo "USER=$PERSON"
        echo "PASSWORD=$PASSWORD"
        if $use_tls; then echo "CA=$DIR/ca.pem"; fi
    } >"$DIR/env"
    echo "$url"
}
