/** Where a pod keeps things, for the courier's containers alone: what they are told, and what they write down. */
export const GIVEN = '/berth/given'
export const WORK = '/berth/work'
/** Each entry has a volume here, which the workload's container has, too. */
export const DATA = '/berth/data'

/**
 * A courier in containers of their own, as any user. It cannot see how the workload's container ended: the control plane says so by
 * writing the exit code to `state/code`. What is told outside goes to the log, and at the end to the message of the container.
 */
export const POD = String.raw`# What was given cannot be written to: its files are linked to from a folder that can.
berth_lay_out() {
  for berth_one in ${DATA}/*; do
    berth_number=\${berth_one##*/}
    berth_each=$berth_folder/entries/$berth_number
    mkdir -p "$berth_each" && ln -sfn "$berth_one" "$berth_each/data"
    for berth_given in ${GIVEN}/entries."$berth_number".*; do
      ln -sf "$berth_given" "$berth_each/\${berth_given##*.}"
    done
  done
  for berth_one in every patience copy_kib slot; do ln -sf "${GIVEN}/$berth_one" "$berth_folder"; done
}

berth_tell() {
  berth_read "$berth_state/checkpoint"
  [ "$berth_value" = "$berth_told" ] || berth_say "checkpoint $berth_value"
  berth_told=$berth_value
}

# For whoever reads the pod after its end.
berth_last_words() {
  {
    berth_read "$berth_state/checkpoint"
    [ -z "$berth_value" ] || echo "checkpoint $berth_value"
    if [ -e "$berth_state/failed" ]; then head -c 1000 "$berth_state/failed"; fi
  } > "\${BERTH_LAST_WORDS:-/dev/termination-log}"
}

berth_is_all_saved() {
  for berth_one in "$berth_folder"/entries/*; do
    berth_open "$berth_one"
    if [ "$berth_mode" != rw ] || [ "$berth_how" = empty ]; then continue; fi
    berth_look && cmp -s "$berth_lists/now" "$berth_lists/published" || return 1
  done
}

# After the end of the workload: what was at rest is saved at once, the rest only if the program ended well.
berth_pod_end() {
  [ ! -e "$berth_state/failed" ] || return 1
  berth_publish_all rest || return 1
  berth_now
  berth_begun=$berth_seconds
  until berth_is_all_saved; do
    if [ -e "$berth_state/code" ]; then
      berth_read "$berth_state/code"
      [ "$berth_value" = 0 ] || return 0
      berth_publish_all all
      return
    fi
    berth_now
    [ $((berth_seconds - berth_begun)) -lt 300 ] || {
      berth_fail 'storage: nobody said in time how the program ended, so what it wrote last is not saved'
      return 1
    }
    berth_pause 1
  done
}

berth_pod_keep() {
  trap 'berth_term=yes' TERM INT
  berth_tell
  while [ -z "$berth_term" ]; do
    berth_pause "$berth_every"
    if [ -z "$berth_term" ] && [ ! -e "$berth_state/failed" ]; then
      berth_round
      berth_tell
      # Only the control plane can stop the workload, which reads this.
      [ ! -e "$berth_state/failed" ] || berth_say "lost $(cat "$berth_state/failed")"
    fi
  done
  berth_pod_end
}

`
