/** What is there before the workload starts: copied, or mounted. */
export const FETCH = String.raw`berth_can_mount() {
  [ "$(id -u)" = 0 ] && [ -c /dev/fuse ] && { command -v fusermount3 || command -v fusermount; } > /dev/null
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

# rclone ends once nothing shows what it mounted. With "mount", also where the program saw it, in a namespace of its own.
berth_unmount() {
  for berth_one in "$berth_folder"/entries/*; do
    berth_read "$berth_one/mount"
    if mountpoint -q "$berth_one/data"; then
      [ "$1" != mount ] || umount -l "$berth_value"
      umount -l "$berth_one/data"
    fi
  done 2> /dev/null
}

berth_free() {
  berth_free_kib=$(df -Pk "$berth_data" | awk 'NR == 2 { print $4 }')
}

# What is there now, file by file; names that end in .tmp or .partial are not meant for anybody else yet.
berth_look() {
  (
    cd "$berth_data" || exit 1
    set -- -type f ! -name '*.tmp' ! -name '*.partial' ! -name '*
*'
    if find . -prune -printf '' 2> /dev/null; then find . -ignore_readdir_race "$@" -printf '%s %T@ %P\n' > "$berth_lists/raw"
    else
      # Without the extras of a large find: whole seconds do, and a file that is gone by now is gone.
      find . "$@" -exec stat -c '%s %Y %n' {} + 2> /dev/null > "$berth_lists/found"
      sed 's| \./| |' "$berth_lists/found" > "$berth_lists/raw"
    fi
  ) && LC_ALL=C sort "$berth_lists/raw" > "$berth_lists/now" && cut -d ' ' -f 3- "$berth_lists/now" > "$berth_lists/raw" &&
    LC_ALL=C sort "$berth_lists/raw" > "$berth_lists/paths"
}

berth_fits() {
  berth_free
  [ "$berth_kib" -ge "$berth_free_kib" ] || return 0
  berth_why="it has $((berth_kib / 1024)) MiB, and the disk of this machine has $((berth_free_kib / 1024)) MiB free"
  return 1
}

berth_fetch_one() {
  berth_say "fetching $berth_from"
  if [ -n "$berth_hub" ]; then
    berth_hub_fetch
    return
  fi
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
  berth_fits || return 1
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
  chmod 700 "$berth_folder" 2> /dev/null
  for berth_one in "$berth_folder"/entries/*; do
    berth_open "$berth_one"
    if [ "$berth_mode" = rw ]; then chmod 777 "$berth_data"; else chmod 755 "$berth_data"; fi 2> /dev/null
    [ "$berth_how" != empty ] || continue
    berth_fetch_one || {
      berth_fail "$berth_from could not be fetched: $berth_why"
      return 1
    }
  done
  echo running > "$berth_state/phase"
}

`
