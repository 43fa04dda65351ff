cd "${BACKUP:-$(ls -d 20*[0-9] | sort | tail -n 1)}"
restore() { # NAME URL SCHEMAS: in one transaction, which only a complete dump commits
  {
    echo "BEGIN; DROP SCHEMA IF EXISTS $3 CASCADE;"
    pg_restore --no-owner --no-privileges --file=- "$1.dump"
    echo 'COMMIT;'
  } | psql -Xq --set=ON_ERROR_STOP=1 --output=/dev/null "$2"
  psql -Xqc ANALYZE "$2"
}
restore venture "$MIGRATION_DATABASE_URL" 'venture, venture_import'
restore access "${ACCESS_MIGRATION_DATABASE_URL:-$MIGRATION_DATABASE_URL}" \
  'access, access_partition'
basename "$PWD"
