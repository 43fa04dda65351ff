# Backs up PostgreSQL to a new folder of BACKUP_DIR while the product runs, and keeps 14 days: docs/docker.md.
set -eu
cd "$(dirname "$0")"
# If Redis does not respond, the backup lacks the charges of the last seconds, in favour of the customers.
docker compose run --rm -T admin drain --optional
docker compose run --rm -T backup
