cd "${BACKUP:-$(ls -d 20*[0-9] | sort | tail -n 1)}"
sha256sum --check checksums.sha256
for url in "$MIGRATION_DATABASE_URL" "${ACCESS_MIGRATION_DATABASE_URL:-}"; do
  [ -n "$url" ] || continue
  sessions=$(psql -XAtc "SELECT string_agg(DISTINCT usename, ', ') FROM pg_stat_activity
    WHERE datname = current_database() AND usename ~ '^vcds_(?!owner$)'" "$url")
  if [ -n "$sessions" ]; then
    echo "Stop the processes first; connected: $sessions" >&2
    exit 1
  fi
done
