/**
 * The program between Berth and a workload. It is the leader of a session of its own and outlives Berth. It is the
 * same for all workloads: what differs comes as arguments and through the environment, and is never put together as
 * text. Arguments: folder of the attempt, bytes of log to keep, program and its arguments.
 *
 * Who creates `started` runs the attempt, and nobody does afterwards. It is made by a link, so that it never exists
 * without saying which process it is; start time and boot make sure that a reused number is never taken for it.
 */
export const SHIM = `#!/bin/sh
# Variables begin with berth_, so that those of the workload pass through.
berth_path=$PATH
PATH=/usr/local/bin:/usr/bin:/bin
berth_umask=$(umask)
umask 077
berth_folder=$1
berth_bytes=$2
shift 2

# Signals are for the workload; this has to see its end.
trap '' HUP INT TERM

berth_identity() {
  read -r berth_stat < "/proc/$$/stat" || return 1
  read -r berth_boot < /proc/sys/kernel/random/boot_id || return 1
  set -f
  # The name of a program may have spaces and brackets in it: what counts comes after the last one.
  set -- \${berth_stat##*) }
  set +f
  printf '%s %s %s\\n' "$$" "\${20}" "$berth_boot"
}

berth_identity > "$berth_folder/identity.$$" || exit 1
ln "$berth_folder/identity.$$" "$berth_folder/started" 2> /dev/null
berth_lost=$?
rm -f "$berth_folder/identity.$$"
[ "$berth_lost" = 0 ] || exit 0

# The workload appends to the log itself and depends on nobody; this only keeps the log from growing for ever.
berth_trim() {
  trap - HUP INT TERM
  # Without its leader it would be all that is left of the attempt one day, and be taken for it.
  while sleep 10 && kill -0 $$ 2> /dev/null; do
    [ "$(wc -c < "$berth_folder/log")" -gt "$berth_bytes" ] || continue
    tail -c "$berth_bytes" "$berth_folder/log" > "$berth_folder/log.cut" &&
      mv "$berth_folder/log.cut" "$berth_folder/log.old"
    : > "$berth_folder/log"
  done
}

: >> "$berth_folder/log"
berth_trim < /dev/null > /dev/null 2>&1 &
(
  trap - HUP INT TERM
  # A signal that came before this line was not heard; whoever sent it has written this file first.
  [ ! -e "$berth_folder/stopping" ] || exit 143
  umask "$berth_umask"
  PATH=$berth_path
  exec "$@"
) < /dev/null >> "$berth_folder/log" 2>&1
berth_code=$?

printf '%s\\n' "$berth_code" > "$berth_folder/exit.$$" && ln "$berth_folder/exit.$$" "$berth_folder/exit"
rm -f "$berth_folder/exit.$$"
# What the workload left behind ends with it.
kill -s TERM 0
`
