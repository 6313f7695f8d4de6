/**
 * The program between Berth and a workload. It leads its own session and outlives Berth. It is the same for all workloads:
 * differences come as arguments and through the environment, and are never assembled as text. Arguments: `run`, folder of
 * the attempt, bytes of log to keep in each of two files, folder of a control group or an empty text, program and its
 * arguments. Or: `read`, folder, bytes, a pipe; then it only reads that pipe (see `LogRescue`).
 *
 * The process that creates `started` runs the attempt, and no other ever does. The file is made by a link, so that it never
 * exists without naming its process; start time and boot make sure that a reused number is never mistaken for it. All disk
 * space is taken before that: an attempt that cannot be recorded is not started. Then the note itself becomes `started`,
 * which takes no space, and says that nothing was started.
 *
 * The workload prints into a pipe. The leader copies from it, never more than fits, and switches files when one is full: a log
 * cannot grow beyond its limit, however fast it is written. A second shell waits for the end of the workload. Both hold the
 * reading end, so that the workload is not ended by its log when one of them is killed.
 *
 * When the workload has started, and when its end is written down, a file two folders above is emptied: who watches that one
 * file hears of everything (see `News`).
 */
export const SHIM = `#!/bin/sh
# Variables begin with berth_, so that those of the workload pass through.
berth_path=$PATH
PATH=/usr/local/bin:/usr/bin:/bin
berth_umask=$(umask)
umask 077
berth_task=$1
berth_folder=$2
berth_bytes=$3
berth_extra=$4
shift 4

# Signals are for the workload; this has to see its end.
trap '' HUP INT QUIT TERM USR1 USR2 ALRM PIPE

# At once, and no more than so many bytes; with nothing of the workload's environment but what tells whose it is.
berth_prompt=
! command -v stdbuf > /dev/null || berth_prompt='stdbuf -o0'
berth_copy() {
  env -i PATH="$PATH" \${BERTH_ATTEMPT:+"BERTH_ATTEMPT=$BERTH_ATTEMPT"} $berth_prompt head -c "$1" <&4 2> /dev/null
}

berth_read() {
  berth_size=$(wc -c < "$berth_folder/log")
  while :; do
    if [ "\${berth_size:-0}" -ge "$berth_bytes" ]; then
      # Removed first: a file that is put over another is written out at once, however soon it is removed.
      rm -f "$berth_folder/log.old"
      mv -f "$berth_folder/log" "$berth_folder/log.old" || rm -f "$berth_folder/log"
      berth_size=0
    fi
    berth_copy $((berth_bytes - \${berth_size:-0})) >> "$berth_folder/log"
    berth_status=$?
    berth_size=$(wc -c < "$berth_folder/log")
    # Killed: by whom does not matter, another one goes on.
    [ "$berth_status" -le 128 ] || continue
    if [ "$berth_status" != 0 ]; then
      # The disk is full: what is kept of the log makes room. Where that does not help, what comes is lost for a while.
      rm -f "$berth_folder/log.old"
      true > "$berth_folder/log"
      [ "\${berth_size:-0}" -gt 0 ] || [ "$(berth_copy 65536 | wc -c)" != 0 ] || return 0
      berth_size=0
    elif [ "\${berth_size:-0}" -lt "$berth_bytes" ]; then
      return 0
    fi
  done
} 2> /dev/null

if [ "$berth_task" = read ]; then
  # Both ends first: a reader alone would wait for ever for a writer that has ended meanwhile.
  exec 3<> "$berth_extra"
  exec 4< "$berth_extra" 3>&-
  berth_read
  exit 0
fi

berth_identity() {
  read -r berth_stat < "/proc/$$/stat" || return 1
  read -r berth_boot < /proc/sys/kernel/random/boot_id || return 1
  set -f
  # The name of a program may have spaces and brackets in it: what counts comes after the last one.
  set -- \${berth_stat##*) }
  set +f
  berth_nice=$((\${17} + 5))
  printf '%s %s %s\\n' "$$" "\${20}" "$berth_boot"
}

berth_tidy() {
  rm -f "$berth_folder/identity.$$" "$berth_folder/code.$$" "$berth_folder/pipe.$$" "$berth_folder/reading.$$"
}

# As empty as before, which takes no space, and still a change.
berth_tell() {
  true > "$berth_folder/../../news"
} 2> /dev/null

berth_cannot() {
  berth_tidy
  [ -e "$berth_folder/started" ] || ln "$berth_folder/order" "$berth_folder/started"
  exit 71
}

{
  berth_identity > "$berth_folder/identity.$$" && [ -s "$berth_folder/identity.$$" ] || berth_cannot
  # The room for the code is taken now: it can be written on a full disk, too.
  echo 000 > "$berth_folder/code.$$" && [ -s "$berth_folder/code.$$" ] || berth_cannot
  mkfifo "$berth_folder/pipe.$$" || berth_cannot
  ln "$berth_folder/identity.$$" "$berth_folder/reading.$$" || berth_cannot
  true >> "$berth_folder/log" || berth_cannot
} 2> /dev/null
# Without both ends at first, each would wait for the other.
exec 3<> "$berth_folder/pipe.$$"
exec 4< "$berth_folder/pipe.$$" 5> "$berth_folder/pipe.$$" 3>&-
if [ -n "$berth_extra" ]; then
  {
    mkdir -p "$berth_extra" && echo $$ > "$berth_extra/cgroup.procs" &&
      printf '%s\\n' "$berth_extra" > "$berth_folder/cgroup"
  } 2> /dev/null
fi
if ! ln "$berth_folder/identity.$$" "$berth_folder/started" 2> /dev/null; then
  [ -e "$berth_folder/started" ] || berth_cannot
  berth_tidy
  exit 0
fi
rm -f "$berth_folder/identity.$$" "$berth_folder/pipe.$$"
berth_tell

# Berth must get to run, whatever the workload does: it is to end it. What the kernel gives a whole session, where it goes by
# sessions, can be set ten times a second by all users together.
berth_yield() {
  berth_tries=0
  while [ -w "/proc/$$/autogroup" ] && [ -e "$berth_folder/reading.$$" ] && [ "$berth_tries" -lt 100 ]; do
    ! echo 5 > "/proc/$$/autogroup" || return 0
    sleep 0.2
    berth_tries=$((berth_tries + 1))
  done
}
{
  renice -n "$berth_nice" -p $$ > /dev/null
  berth_yield 3>&- 4<&- 5>&- < /dev/null > /dev/null &
} 2> /dev/null

(
  (
    trap - HUP INT QUIT TERM USR1 USR2 ALRM PIPE
    # A signal that came before this line was not heard; its sender has written this file first.
    [ ! -e "$berth_folder/stopping" ] || exit 143
    umask "$berth_umask"
    PATH=$berth_path
    exec "$@"
  ) < /dev/null >&5 2>&5 4<&- 5>&-
  berth_code=$?
  exec 5>&-
  printf '%03d\\n' "$berth_code" 1<> "$berth_folder/code.$$"
  # What the workload left behind ends with it. Its last words are waited for, but not for ever.
  kill -s TERM 0
  berth_turns=0
  while [ -e "$berth_folder/reading.$$" ] && [ "$berth_turns" -lt 50 ]; do
    sleep 0.02
    berth_turns=$((berth_turns + 1))
  done
  ln "$berth_folder/code.$$" "$berth_folder/exit"
  berth_tell
  rm -f "$berth_folder/code.$$"
) &
berth_waiter=$!
exec 5>&-
berth_read
rm -f "$berth_folder/reading.$$"
wait "$berth_waiter"
# The last one out takes the group away; it stays where something else is still in it.
if [ -n "$berth_extra" ]; then
  { echo $$ > "\${berth_extra%/*}/cgroup.procs" && rmdir "$berth_extra"; } 2> /dev/null
fi
exit 0
`
