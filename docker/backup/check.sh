cd "${BACKUP:-$(ls -d 20*[0-9] | sort | tail -n 1)}"
sha256sum --check checksums.sha256
for url in "$MIGRATION_DATABASE_URL" "${ACCESS_MIGRATION_DATABASE_URL:-}"; do
  [ -n "$url" ] || continue
  # As the owner, as a role of the product, or as a login role that was granted one. Superusers have all.
  sessions=$(psql -XAtc "SELECT string_agg(DISTINCT usename, ', ') FROM pg_stat_activity AS a
    JOIN pg_roles AS r ON r.oid = a.usesysid
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND (usename = current_user
      OR NOT rolsuper AND EXISTS (SELECT FROM pg_roles AS p WHERE p.rolname ~ '^vcds_'
        AND pg_has_role(a.usesysid, p.oid, 'MEMBER')))" "$url")
  if [ -n "$sessions" ]; then
    echo "Stop the processes first; connected: $sessions" >&2
    exit 1
  fi
done
