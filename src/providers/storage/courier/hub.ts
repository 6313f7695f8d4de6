/** Repositories of a hub, which has a list of files and no folders. */
export const HUB = String.raw`# What of a repository is not here yet in its full size.
berth_hub_missing() {
  (cd "$berth_data" && find . -type f -exec stat -c '%s %n' {} +) | sed 's| \./| |' | LC_ALL=C sort > "$berth_lists/have" &&
    berth_lines new "$berth_lists/have" "$berth_lists/hub" > "$berth_lists/raw" && cut -d ' ' -f 2- "$berth_lists/raw" > "$berth_lists/missing" || {
    berth_why='the disk of this machine is full'
    return 1
  }
}

# Size and name of each file, from an answer in JSON that nothing here can read as a whole: what is odd in it is an error.
berth_hub_list() {
  berth_try copyurl "$berth_hub" "$berth_lists/answer" || return 1
  berth_why='its list of files cannot be read'
  tr -d '\n' < "$berth_lists/answer" | sed 's/{ *"/\n"/g' | grep -E '"rfilename" *:' > "$berth_lists/raw"
  awk '
    match($0, /"rfilename" *: *"[^"\\]+"/) {
      name = substr($0, RSTART, RLENGTH)
      sub(/^"rfilename" *: *"/, "", name)
      sub(/"$/, "", name)
      if (!match($0, /"size" *: *[0-9]+/)) next
      size = substr($0, RSTART, RLENGTH)
      sub(/^[^0-9]*/, "", size)
      print size, name
    }' "$berth_lists/raw" > "$berth_lists/all"
  berth_commit=$(grep -Eo '"sha" *: *"[0-9a-f]{40}"' "$berth_lists/answer" | head -n 1 | cut -d '"' -f 4)
  [ -n "$berth_commit" ] && [ "$(wc -l < "$berth_lists/raw")" = "$(wc -l < "$berth_lists/all")" ] || return 1
  ! cut -d ' ' -f 2- "$berth_lists/all" | grep -Eq '(^|/)\.{0,2}(/|$)' || return 1
  # A folder of it, or one file; then its name is taken from there on.
  berth_read "$berth_each/inside" && berth_inside=$berth_value
  BERTH_INSIDE=$berth_inside awk '
    BEGIN { inside = ENVIRON["BERTH_INSIDE"]; parent = inside; if (!sub(/\/[^\/]*$/, "/", parent)) parent = "" }
    {
      size = $1
      name = substr($0, length(size) + 2)
      if (inside == "") print size, name
      else if (name == inside) print size, substr(name, length(parent) + 1)
      else if (index(name, inside "/") == 1) print size, substr(name, length(inside) + 2)
    }' "$berth_lists/all" > "$berth_lists/raw" && LC_ALL=C sort "$berth_lists/raw" > "$berth_lists/hub"
  [ -s "$berth_lists/hub" ] || {
    berth_why='there is nothing there'
    return 1
  }
  if cut -d ' ' -f 2- "$berth_lists/all" | grep -Fqx -e "$berth_inside"; then
    case $berth_inside in */*) berth_inside=\${berth_inside%/*} ;; *) berth_inside= ;; esac
  fi
  berth_root=$berth_remote/$berth_commit/$berth_inside\${berth_inside:+/}
}

# File by file from one commit, whatever becomes of the branch. A file that is whole is not fetched again, and a broken one is continued.
berth_hub_fetch() {
  berth_hub_list || return 1
  berth_kib=$(awk '{ sum += $1 } END { printf "%d", sum / 1024 }' "$berth_lists/hub")
  berth_fits || return 1
  umask 022
  berth_before=berth_hub_missing
  berth_again=20
  berth_hub_missing && { [ ! -s "$berth_lists/missing" ] || berth_try copy "$berth_root" "$berth_data" --no-traverse \
    --files-from-raw "$berth_lists/missing" --transfers 8; }
  berth_copied=$?
  umask 077
  [ "$berth_copied" = 0 ] && berth_hub_missing || return 1
  berth_why='a file has another size than its repository says'
  [ ! -s "$berth_lists/missing" ]
}

`
