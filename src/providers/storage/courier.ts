/**
 * What brings data to a workload and takes its results away, beside the workload and independent of Berth. It is one fixed text;
 * everything that differs lies in files beside it (see `storageFiles`). Arguments: a task, the folder with those files, and for `run`
 * the program with its arguments. The tasks: `fetch` gets everything before the workload starts; `keep` publishes what the workload writes,
 * until the file `state/ended` is there; `finish CODE` publishes the rest; `run` does all three around a program of this host, in a
 * mount namespace of its own; `rclone` becomes rclone, and is the only process that ever has the access to an object store.
 *
 * What is written is published in rounds. A round is uploaded under a name of its own, then marked as whole, then moved to where it
 * belongs: a round that was cut off before the mark is dropped by the next attempt, one after the mark is carried through. A file that
 * changed between two looks is not part of a round, so no file is published while it is being written.
 */
export const COURIER = String.raw`#!/bin/sh
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

berth_open() {
  berth_each=$1
  berth_lists=$1/lists
  berth_data=$1/data
  berth_read "$1/from" && berth_from=$berth_value
  berth_read "$1/remote" && berth_remote=$berth_value
  berth_read "$1/mode" && berth_mode=$berth_value
  berth_read "$1/how" && berth_how=$berth_value
  berth_staging=$berth_remote/.berth-publish/$berth_slot
  mkdir -p "$berth_lists" "$berth_data"
}

# The workload's own environment stays away from rclone, and the access stays away from the workload and from every command line.
berth_rclone() {
  env -i PATH="$PATH" TZ=UTC LC_ALL=C \${BERTH_ATTEMPT:+"BERTH_ATTEMPT=$BERTH_ATTEMPT"} \
    /bin/sh "$berth_self" rclone "$berth_each" --config /dev/null --cache-dir "$berth_folder/cache" --retries 1 \
    --low-level-retries 3 --contimeout 10s --timeout 60s "$@" 2> "$berth_state/said"
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
  elif berth_heard 'InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|Forbidden|Unauthorized|status code: 40[13]'; then
    berth_why='access was denied; check the secret'
    berth_final=yes
  elif berth_heard 'NoSuchBucket|InvalidBucketName|bucket does not exist|directory not found|object not found'; then
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
  elif berth_heard 'status code: 5|SlowDown|InternalError'; then berth_why='the server has trouble'
  else berth_why="rclone failed with code $berth_code"
  fi
}

# The same again, with longer and longer waits, for as long as there is patience.
berth_try() {
  berth_now
  berth_begun=$berth_seconds
  berth_wait=1
  while :; do
    berth_rclone "$@"
    berth_code=$?
    [ "$berth_code" != 0 ] || return 0
    berth_judge
    berth_now
    [ "$berth_final" = no ] || return 1
    [ $((berth_seconds - berth_begun + berth_wait)) -le "$berth_patience" ] || return 1
    berth_say "$berth_from: $berth_why; trying again in $berth_wait s" >&2
    berth_pause "$berth_wait"
    berth_wait=$((berth_wait * 2))
    [ "$berth_wait" -le 30 ] || berth_wait=30
  done
}

# Carries a round through that was marked as whole, and drops one that was not.
berth_redo() {
  berth_try lsf "$berth_staging" > "$berth_lists/staged" || {
    [ "$berth_code" = 3 ] || return 1
    return 0
  }
  [ -s "$berth_lists/staged" ] || return 0
  if grep -qx commit "$berth_lists/staged"; then
    if grep -qx new/ "$berth_lists/staged"; then berth_try copy "$berth_staging/new" "$berth_remote" || return 1; fi
    berth_try cat "$berth_staging/commit" > "$berth_lists/commit.read" || return 1
    tail -n +2 "$berth_lists/commit.read" > "$berth_lists/gone" || return 1
    if [ -s "$berth_lists/gone" ]; then
      berth_try delete "$berth_remote" --files-from-raw "$berth_lists/gone" || return 1
    fi
  fi
  berth_try purge "$berth_staging"
}

# When the newest of what is published was published, by the clock of the store: one clock for all machines.
berth_checkpoint() {
  [ -e "$berth_each/checkpoint" ] || return 0
  berth_read "$berth_each/checkpoint"
  berth_try lsf -R --files-only --format t --use-server-modtime --exclude '/.berth-publish/**' "$berth_remote$berth_value" \
    > "$berth_lists/times" || return 0
  berth_newest=$(sort "$berth_lists/times" | tail -n 1)
  [ -n "$berth_newest" ] || return 0
  date -u -d "$berth_newest" +%s > "$berth_state/checkpoint.new" && [ -s "$berth_state/checkpoint.new" ] &&
    mv "$berth_state/checkpoint.new" "$berth_state/checkpoint"
}

berth_can_mount() {
  [ -c /dev/fuse ] && { command -v fusermount3 || command -v fusermount; } > /dev/null
}

berth_mount() {
  berth_rclone mount "$berth_remote" "$berth_data" --read-only --allow-other --attr-timeout 60s &
  berth_mounter=$!
  berth_turns=0
  while ! mountpoint -q "$berth_data"; do
    berth_turns=$((berth_turns + 1))
    if ! kill -0 "$berth_mounter" 2> /dev/null || [ "$berth_turns" -gt 300 ]; then
      berth_code=1
      berth_judge
      return 1
    fi
    sleep 0.1
  done
}

# rclone ends once nothing shows what it mounted.
berth_unmount() {
  for berth_one in "$berth_folder"/entries/*; do
    berth_read "$berth_one/mount"
    if mountpoint -q "$berth_one/data"; then umount -l "$berth_value" "$berth_one/data"; fi
  done 2> /dev/null
}

berth_free() {
  berth_free_kib=$(df -Pk "$berth_data" | awk 'NR == 2 { print $4 }')
}

# What is there now, file by file; names that end in .tmp or .partial are not meant for anybody else yet.
berth_look() {
  (
    cd "$berth_data" && find . -ignore_readdir_race -type f ! -name '*.tmp' ! -name '*.partial' ! -name '*
*' -printf '%s %T@ %P\n' > "$berth_lists/raw"
  ) && LC_ALL=C sort "$berth_lists/raw" > "$berth_lists/now" && cut -d ' ' -f 3- "$berth_lists/now" > "$berth_lists/raw" &&
    LC_ALL=C sort "$berth_lists/raw" > "$berth_lists/paths"
}

berth_fetch_one() {
  berth_say "fetching $berth_from"
  if [ "$berth_mode" = rw ]; then berth_redo || return 1; fi
  berth_try size --json --exclude '/.berth-publish/**' "$berth_remote" > "$berth_lists/size" || {
    # A store without folders has none that is empty.
    [ "$berth_mode" = rw ] && [ "$berth_code" = 3 ] || return 1
    echo '{"count":0,"bytes":0}' > "$berth_lists/size"
  }
  berth_bytes=$(sed -n 's/.*"bytes": *\([0-9]*\).*/\1/p' "$berth_lists/size")
  berth_kib=$((\${berth_bytes:-0} / 1024))
  if [ "$berth_mode" = ro ] && grep -q '"count": *0[,}]' "$berth_lists/size"; then
    berth_why='there is nothing there'
    return 1
  fi
  berth_free
  if [ "$berth_how" = mount ] || { [ "$berth_how" = either ] && { [ "$berth_kib" -gt "$berth_copy_kib" ] || [ "$berth_kib" -ge "$berth_free_kib" ]; }; }; then
    if berth_can_mount; then
      berth_mount
      return
    fi
  fi
  if [ "$berth_kib" -ge "$berth_free_kib" ]; then
    berth_why="it has $((berth_kib / 1024)) MiB, and the disk of this machine has $((berth_free_kib / 1024)) MiB free"
    return 1
  fi
  # Whatever user the workload runs as; nobody else gets through the folder around it.
  if [ "$berth_mode" = rw ]; then umask 000; else umask 022; fi
  berth_try copy --exclude '/.berth-publish/**' "$berth_remote" "$berth_data"
  berth_copied=$?
  umask 077
  [ "$berth_copied" = 0 ] || return 1
  [ "$berth_mode" = rw ] || return 0
  berth_look && cp "$berth_lists/now" "$berth_lists/published" && cp "$berth_lists/paths" "$berth_lists/known" || {
    berth_why='the disk of this machine is full'
    return 1
  }
  berth_checkpoint
}

berth_fetch() {
  chmod 700 "$berth_folder"
  for berth_one in "$berth_folder"/entries/*; do
    berth_open "$berth_one"
    if [ "$berth_mode" = rw ]; then chmod 777 "$berth_data"; else chmod 755 "$berth_data"; fi
    [ "$berth_how" != empty ] || continue
    berth_fetch_one || {
      berth_fail "$berth_from could not be fetched: $berth_why"
      return 1
    }
  done
  echo running > "$berth_state/phase"
}

# Work that is never at rest is never saved, which nobody should find out too late.
berth_unrest() {
  if [ "$1" != settled ] || cmp -s "$berth_lists/now" "$berth_lists/published"; then berth_looks=0; fi
  berth_looks=$((\${berth_looks:-0} + 1))
  [ "$berth_looks" != 9 ] || berth_say "$berth_from: nothing is saved, because every file changes all the time; keep each for $berth_every s"
}

# One round: all, or only what did not change since the last look.
berth_publish() {
  berth_why='the disk of this machine is full'
  berth_code=1
  berth_look || return 1
  [ -e "$berth_lists/before" ] || cp "$berth_lists/published" "$berth_lists/before" || return 1
  if [ "$1" = all ]; then cp "$berth_lists/now" "$berth_lists/settled"
  else LC_ALL=C comm -12 "$berth_lists/before" "$berth_lists/now" > "$berth_lists/settled"
  fi || return 1
  cp "$berth_lists/now" "$berth_lists/before" || return 1
  LC_ALL=C comm -23 "$berth_lists/settled" "$berth_lists/published" > "$berth_lists/changed" || return 1
  if [ "$1" = rest ]; then true > "$berth_lists/gone"
  else LC_ALL=C comm -13 "$berth_lists/paths" "$berth_lists/known" > "$berth_lists/gone"
  fi || return 1
  [ -s "$berth_lists/changed" ] || [ -s "$berth_lists/gone" ] || { berth_unrest "$1"; return 0; }
  berth_looks=0
  if [ "$1" = settled ] && ! cmp -s "$berth_lists/settled" "$berth_lists/now"; then
    # Files of one checkpoint belong together, but one that never rests must not hold up the others for ever.
    berth_held=$((\${berth_held:-0} + 1))
    [ "$berth_held" -gt 8 ] || return 0
    berth_say "$berth_from: some files change all the time; the others are saved without them"
  fi
  berth_held=0
  cut -d ' ' -f 3- "$berth_lists/changed" > "$berth_lists/files" &&
    { echo 'berth 1' && cat "$berth_lists/gone"; } > "$berth_lists/commit" || return 1
  if [ -e "$berth_lists/dirty" ]; then berth_try purge "$berth_staging" || [ "$berth_code" = 3 ] || return 1; fi
  echo yes > "$berth_lists/dirty" || return 1
  if [ -s "$berth_lists/files" ]; then
    berth_try copy "$berth_data" "$berth_staging/new" --files-from-raw "$berth_lists/files" || {
      # The next round has it.
      [ "$1" = settled ] && [ "$berth_why" = "$berth_restless" ]
      return
    }
  fi
  berth_try copyto "$berth_lists/commit" "$berth_staging/commit" || return 1
  berth_redo || return 1
  rm -f "$berth_lists/dirty"
  berth_why='the disk of this machine is full'
  LC_ALL=C comm -12 "$berth_lists/now" "$berth_lists/published" > "$berth_lists/raw" &&
    cat "$berth_lists/changed" >> "$berth_lists/raw" &&
    LC_ALL=C sort -u "$berth_lists/raw" > "$berth_lists/published.new" && mv "$berth_lists/published.new" "$berth_lists/published" &&
    LC_ALL=C sort -u "$berth_lists/known" "$berth_lists/files" > "$berth_lists/raw" &&
    LC_ALL=C comm -23 "$berth_lists/raw" "$berth_lists/gone" > "$berth_lists/known.new" && mv "$berth_lists/known.new" "$berth_lists/known" ||
    return 1
  berth_checkpoint
}

berth_publish_all() {
  for berth_one in "$berth_folder"/entries/*; do
    berth_open "$berth_one"
    if [ "$berth_mode" != rw ] || [ "$berth_how" = empty ]; then continue; fi
    berth_publish "$1" || {
      berth_fail "$berth_from could not be written: $berth_why"
      return 1
    }
  done
}

berth_keep() {
  trap ':' USR1
  while [ ! -e "$berth_state/ended" ]; do
    berth_pause "$berth_every"
    [ ! -e "$berth_state/ended" ] || return 0
    berth_open "$berth_folder/entries/00"
    berth_free
    if [ "$berth_free_kib" -lt 1024 ]; then
      # What a full disk cut short looks like any other file.
      berth_fail 'storage: the disk of this machine is full'
      return 1
    fi
    berth_publish_all settled || return 1
  done
}

# What a program left that failed, or was killed, may be half of a file.
berth_finish() {
  [ ! -e "$berth_state/failed" ] || return 1
  echo saving > "$berth_state/phase"
  if [ "$1" = 0 ]; then berth_publish_all all; else berth_publish_all rest; fi
}

berth_bind() {
  for berth_one in "$berth_folder"/entries/*; do
    berth_open "$berth_one"
    berth_read "$berth_one/mount"
    { mkdir -p "$berth_value" && mount --bind "$berth_data" "$berth_value"; } 2> /dev/null || {
      berth_fail "storage: $berth_value cannot be mounted on this host"
      return 1
    }
    [ "$berth_mode" = rw ] || mount -o remount,bind,ro "$berth_value"
  done
}

case $berth_task in
  fetch) berth_fetch || exit 74 ;;
  keep) berth_keep || exit 74 ;;
  finish)
    berth_unmount
    berth_finish "$1" || exit 74
    ;;
  run)
    echo $$ > "$berth_state/pid"
    berth_fetch && berth_bind || {
      berth_unmount
      exit 74
    }
    # The program hears signals itself; this has to see its end.
    trap ':' HUP INT QUIT TERM USR1 USR2 ALRM PIPE
    (
      trap '' HUP INT QUIT TERM USR2 ALRM PIPE
      berth_keep && exit 0
      # What cannot be saved is not worth going on with.
      kill -s TERM "$(cat "$berth_state/program")"
      berth_pause 10
      kill -s KILL "$(cat "$berth_state/program")"
    ) 2> /dev/null &
    berth_courier=$!
    (
      umask "$berth_umask"
      PATH=$berth_path
      exec /bin/sh -c 'echo $$ > "$0"; exec "$@"' "$berth_state/program" "$@"
    )
    berth_code=$?
    berth_ended=$berth_code
    echo yes > "$berth_state/ended"
    kill -s USR1 "$berth_courier" 2> /dev/null
    wait "$berth_courier"
    berth_unmount
    berth_finish "$berth_ended" || exit 74
    exit "$berth_ended"
    ;;
esac
`.replaceAll('\\${', '${')
