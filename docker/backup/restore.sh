cd "${BACKUP:-$(ls -d 20*[0-9] | sort | tail -n 1)}"
restore() { # URL SCHEMAS NAME…: in one transaction, which only complete dumps commit
  {
    echo "BEGIN; DROP SCHEMA IF EXISTS $2 CASCADE;"
    for name in "${@:3}"; do
      pg_restore --no-owner --no-privileges --file=- "$name.dump"
    done
    echo 'COMMIT;'
  } | psql -Xq --set=ON_ERROR_STOP=1 --output=/dev/null "$1"
  psql -Xqc ANALYZE "$1"
}
access_url=${ACCESS_MIGRATION_DATABASE_URL:-$MIGRATION_DATABASE_URL}
venture='venture, stated, venture_import' access='access, access_partition'
if [ "$access_url" = "$MIGRATION_DATABASE_URL" ]; then
  restore "$access_url" "$venture, $access" venture access
else # Another server: run it again if the second one fails.
  restore "$MIGRATION_DATABASE_URL" "$venture" venture
  restore "$access_url" "$access" access
fi
basename "$PWD"
