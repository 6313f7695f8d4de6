/** Rounds: what is at rest is uploaded, marked as whole, and moved to where it belongs. */
export const PUBLISH = String.raw`# Carries a round through that was marked as whole, and drops one that was not.
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
  else berth_lines common "$berth_lists/before" "$berth_lists/now" > "$berth_lists/settled"
  fi || return 1
  cp "$berth_lists/now" "$berth_lists/before" || return 1
  berth_lines new "$berth_lists/published" "$berth_lists/settled" > "$berth_lists/changed" || return 1
  if [ "$1" = rest ]; then true > "$berth_lists/gone"
  else berth_lines new "$berth_lists/paths" "$berth_lists/known" > "$berth_lists/gone"
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
  berth_lines common "$berth_lists/now" "$berth_lists/published" > "$berth_lists/raw" &&
    cat "$berth_lists/changed" >> "$berth_lists/raw" &&
    LC_ALL=C sort -u "$berth_lists/raw" > "$berth_lists/published.new" && mv "$berth_lists/published.new" "$berth_lists/published" &&
    LC_ALL=C sort -u "$berth_lists/known" "$berth_lists/files" > "$berth_lists/raw" &&
    berth_lines new "$berth_lists/gone" "$berth_lists/raw" > "$berth_lists/known.new" && mv "$berth_lists/known.new" "$berth_lists/known" ||
    return 1
  berth_checkpoint
}

`
