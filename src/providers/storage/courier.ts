import { BASE } from './courier/base.ts'
import { FETCH } from './courier/fetch.ts'
import { HUB } from './courier/hub.ts'
import { POD } from './courier/pod.ts'
import { PUBLISH } from './courier/publish.ts'

/**
 * What brings data to a workload and takes its results away, beside the workload and independent of Berth. It is one fixed text;
 * everything that differs lies in files beside it (see `storageFiles`). Arguments: a task, the folder with those files, and for `run`
 * the program with its arguments. The tasks: `fetch` gets everything before the workload starts; `keep` publishes what the workload writes,
 * until the file `state/ended` is there; `finish CODE` publishes the rest; `run` does all three around a program of this host, in a
 * mount namespace of its own; `contain` does all three around a container that was created, whose engine is called with the remaining words;
 * `pod fetch` and `pod keep` do it beside a container of the same pod; `clear` removes what both leave; `rclone` becomes rclone, and is the only process that ever has the access to an object store.
 *
 * What is written is published in rounds. A round is uploaded under a name of its own, then marked as whole, then moved to where it
 * belongs: a round that was cut off before the mark is dropped by the next attempt, one after the mark is carried through. A file that
 * changed between two looks is not part of a round, so no file is published while it is being written.
 */
export const COURIER = [
  BASE,
  PUBLISH,
  HUB,
  FETCH,
  POD,
  String.raw`berth_publish_all() {
  for berth_one in "$berth_folder"/entries/*; do
    berth_open "$berth_one"
    if [ "$berth_mode" != rw ] || [ "$berth_how" = empty ]; then continue; fi
    berth_publish "$1" || {
      berth_fail "$berth_from could not be written: $berth_why"
      return 1
    }
  done
}

berth_round() {
  for berth_one in "$berth_folder"/entries/*; do
    berth_open "$berth_one"
    [ "$berth_mode" = rw ] || continue
    berth_free
    if [ "$berth_free_kib" -lt 1024 ]; then
      # What a full disk cut short looks like any other file.
      berth_fail 'storage: the disk of this machine is full'
      return 1
    fi
  done
  berth_publish_all settled
}

berth_keep() {
  trap ':' USR1
  while [ ! -e "$berth_state/ended" ]; do
    berth_pause "$berth_every"
    [ ! -e "$berth_state/ended" ] || return 0
    berth_round || return 1
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
      berth_unmount mount
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
    berth_unmount mount
    berth_finish "$berth_ended" || exit 74
    exit "$berth_ended"
    ;;
  contain)
    berth_container=$1
    shift
    berth_engine() { (umask "$berth_umask" && PATH=$berth_path && exec "$@"); }
    if [ ! -e "$berth_state/started" ]; then
      berth_fetch || {
        berth_unmount
        exit 74
      }
      berth_engine "$@" start "$berth_container" > /dev/null 2> "$berth_state/engine" || {
        grep -i error "$berth_state/engine" | head -n 1 > "$berth_state/refused"
        [ -s "$berth_state/refused" ] || echo 'the engine did not say why' > "$berth_state/refused"
        berth_unmount
        exit 74
      }
      echo yes > "$berth_state/started"
    fi
    rm -f "$berth_state/ended"
    (berth_keep || berth_engine "$@" stop --time 10 "$berth_container" > /dev/null 2>&1) &
    berth_courier=$!
    while :; do
      berth_ended=$(berth_engine "$@" wait "$berth_container" 2> "$berth_state/engine")
      case $berth_ended in
        [0-9]*) break ;;
      esac
      berth_ended=137
      # An engine that does not answer says nothing about the container.
      if grep -qi 'no such' "$berth_state/engine"; then break; fi
      berth_pause 2
    done
    echo yes > "$berth_state/ended"
    kill -s USR1 "$berth_courier" 2> /dev/null
    wait "$berth_courier"
    berth_unmount
    berth_finish "$berth_ended" || exit 74
    echo yes > "$berth_state/saved"
    ;;
  pod)
    berth_lay_out && exec /bin/sh "$berth_self" "pod-$1" "$berth_folder"
    ;;
  pod-fetch)
    berth_fetch && exit 0
    berth_last_words
    exit 74
    ;;
  pod-keep)
    berth_pod_keep
    berth_code=$?
    berth_last_words
    [ "$berth_code" = 0 ] || exit 74
    ;;
  clear)
    berth_unmount
    for berth_one in "$berth_folder"/entries/*; do
      # Never into a store that is still mounted.
      if mountpoint -q "$berth_one/data"; then exit 1; fi
    done
    if [ "$1" = forget ]; then rm -rf "$berth_folder"; else rm -rf "$berth_folder/entries" "$berth_folder/cache"; fi
    ;;
esac
`,
]
  .join('')
  .replaceAll('\\${', '${')
