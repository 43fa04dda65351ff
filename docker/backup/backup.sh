name=${NAME:-$(date -u +%Y-%m-%dT%H-%M-%S)}
mkdir "$name.part"
dump() { # NAME URL OPTION…
  file=$name.part/$1.dump
  pg_dump --format=custom --no-owner --no-privileges --file="$file" "${@:3}" "$2"
  pg_restore --list "$file" >/dev/null
}
dump access "${ACCESS_MIGRATION_DATABASE_URL:-$MIGRATION_DATABASE_URL}" \
  --schema=access --schema=access_partition
dump venture "$MIGRATION_DATABASE_URL" --schema=venture --schema=stated --schema=venture_import \
  --exclude-table='venture_import.*' \
  --extension=unaccent --extension=pg_trgm --extension=uuid-ossp
(cd "$name.part" && sha256sum access.dump venture.dump >checksums.sha256)
mv "$name.part" "$name"
[ -n "${NAME:-}" ] || find . -mindepth 1 -maxdepth 1 -name '20*' -mtime +14 -exec rm -r {} +
echo "$name"
