/** How the courier speaks, waits, fails, and calls rclone: alone with the access, and again after what may pass. */
export const BASE = String.raw`#!/bin/sh
# Variables begin with berth_, so that those of the workload pass through.
berth_self=$0
berth_task=$1
berth_folder=$2
shift 2
berth_path=$PATH
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

if [ "$berth_task" = rclone ]; then
  while IFS= read -r berth_line || [ -n "$berth_line" ]; do
    export "$berth_line"
  done < "$berth_folder/access"
  # It would go along to every host that a hub sends us to; the remote's own does not.
  [ "$1" = copyurl ] || unset RCLONE_HEADER
  exec rclone "$@"
fi

berth_umask=$(umask)
umask 077
berth_state=$berth_folder/state

berth_read() {
  berth_value=
  [ ! -e "$1" ] || IFS= read -r berth_value < "$1" || [ -n "$berth_value" ]
}
berth_read "$berth_folder/every" && berth_every=$berth_value
berth_read "$berth_folder/patience" && berth_patience=$berth_value
berth_read "$berth_folder/copy_kib" && berth_copy_kib=$berth_value
berth_read "$berth_folder/slot" && berth_slot=$berth_value
mkdir -p "$berth_state"

berth_say() {
  printf 'berth: %s\n' "$1"
}

berth_now() {
  read -r berth_up berth_rest < /proc/uptime
  berth_seconds=\${berth_up%%.*}
}

# A signal ends the wait.
berth_pause() {
  sleep "$1" &
  berth_sleep=$!
  wait "$berth_sleep"
  kill -s KILL "$berth_sleep" 2> /dev/null
}

# Why the attempt fails, for Berth to read. It is written once, and room is made for it.
berth_fail() {
  berth_say "$1"
  [ ! -e "$berth_state/failed" ] || return 0
  { printf '%s\n' "$1" > "$berth_state/failed.new" && [ -s "$berth_state/failed.new" ]; } 2> /dev/null ||
    { rm -rf "$berth_folder/cache" "$berth_folder"/entries/*/data/* && printf '%s\n' "$1" > "$berth_state/failed.new"; } 2> /dev/null
  mv "$berth_state/failed.new" "$berth_state/failed"
}

# The lines of the second file that the first one has, too, or that are new in it. Not every small system has a program for that.
berth_lines() {
  awk -v "berth_what=$1" '
    FILENAME == ARGV[1] { has[$0] = 1; next }
    ($0 in has) == (berth_what == "common")' "$2" "$3"
}

berth_open() {
  berth_each=$1
  berth_lists=$1/lists
  berth_data=$1/data
  berth_read "$1/from" && berth_from=$berth_value
  berth_read "$1/remote" && berth_remote=$berth_value
  berth_read "$1/mode" && berth_mode=$berth_value
  berth_read "$1/how" && berth_how=$berth_value
  berth_staging=$berth_remote/.berth-publish/$berth_slot
  berth_read "$1/hub" && berth_hub=$berth_value
  berth_before=:
  berth_again=3
  mkdir -p "$berth_lists" "$berth_data"
}

# The workload's own environment stays away from rclone, and the access stays away from the workload and from every command line.
berth_rclone() {
  env -i PATH="$PATH" TZ=UTC LC_ALL=C \${BERTH_ATTEMPT:+"BERTH_ATTEMPT=$BERTH_ATTEMPT"} \
    /bin/sh "$berth_self" rclone "$berth_each" "$@" --config /dev/null --cache-dir "$berth_folder/cache" --retries 1 \
    --low-level-retries "$berth_again" --contimeout 10s --timeout 60s 2> "$berth_state/said"
}

berth_restless='a file changed while it was read'

# In our own words: what rclone prints may hold parts of the access.
berth_judge() {
  berth_final=no
  berth_heard() { grep -Eqi "$1" "$berth_state/said"; }
  if berth_heard 'no space left on device|disk quota exceeded'; then
    berth_why='the disk of this machine is full'
    berth_final=yes
  elif berth_heard 'source file is being updated'; then
    berth_why=$berth_restless
    berth_final=yes
  elif berth_heard ': permission denied'; then
    berth_why='a file may only be read by another user'
    berth_final=yes
  elif berth_heard 'InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|Forbidden|Unauthorized|status code: 40[13]|HTTP Error: 40[13]'; then
    berth_why='access was denied; check the secret'
    # Hubs do not tell strangers what there is.
    [ -z "$berth_hub" ] || berth_why='access was denied, or there is no such repository; check its name and the secret'
    berth_final=yes
  elif berth_heard 'NoSuchBucket|InvalidBucketName|bucket does not exist|directory not found|object not found|404 Not Found'; then
    berth_why='there is no such bucket, folder or file'
    berth_final=yes
  elif berth_heard "didn't find section|couldn't find backend|unknown flag|rclone: not found"; then
    berth_why='rclone is missing here, or too old'
    berth_final=yes
  elif berth_heard 'connection refused'; then berth_why='the connection was refused'
  elif berth_heard 'no such host'; then berth_why='its host has no address'
  elif berth_heard 'x509|certificate'; then berth_why='its certificate is not trusted'
  elif berth_heard 'timeout|deadline exceeded|timed out'; then berth_why='it did not answer in time'
  elif berth_heard 'connection reset|broken pipe|EOF|closed network connection'; then berth_why='the connection broke'
  elif berth_heard 'status code: 5|SlowDown|InternalError|: (5[0-9][0-9]|429) '; then berth_why='the server has trouble'
  else berth_why="rclone failed with code $berth_code"
  fi
}

# The same again, with longer and longer waits, for as long as there is patience. What went well for that long has earned it anew.
berth_try() {
  berth_wait=1
  while :; do
    berth_now
    berth_tried=$berth_seconds
    "$berth_before" || return 1
    berth_rclone "$@"
    berth_code=$?
    [ "$berth_code" != 0 ] || return 0
    berth_judge
    [ "$berth_final" = no ] || return 1
    berth_now
    [ $((berth_seconds - berth_tried)) -le "$berth_patience" ] || berth_wait=1
    [ "$berth_wait" != 1 ] || berth_begun=$berth_seconds
    [ $((berth_seconds - berth_begun + berth_wait)) -le "$berth_patience" ] || return 1
    berth_say "$berth_from: $berth_why; trying again in $berth_wait s" >&2
    berth_pause "$berth_wait"
    berth_wait=$((berth_wait * 2))
    [ "$berth_wait" -le 30 ] || berth_wait=30
  done
}

`
