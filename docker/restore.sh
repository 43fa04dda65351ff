# Restores a backup, by default the newest one of BACKUP_DIR, in place of all data: docs/docker.md.
#   sh docker/restore.sh [NAME]
# The processes are stopped meanwhile. A restore that fails leaves PostgreSQL as it was.
set -eu
cd "$(dirname "$0")"
export BACKUP="${1:-}"
processes=$(docker compose ps --services --status running |
  grep -vxE 'postgres|redis|prometheus|grafana' || true)
start() {
  docker compose up --no-build --detach --wait
}
# Each name is an argument.
# shellcheck disable=SC2086
[ -z "$processes" ] || docker compose stop $processes
trap 'echo "The restore failed; starting the product again." >&2; start' EXIT
docker compose run --rm -T restore /scripts/check.sh
# Before PostgreSQL changes: at no moment does Redis have balances of a later time than the ledger.
docker compose run --rm -T empty-redis
docker compose run --rm -T restore /scripts/restore.sh
trap - EXIT
# A dump has no privileges: `up` migrates, which grants them.
start
