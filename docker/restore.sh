# Restores a backup, by default the newest one of BACKUP_DIR, in place of all data: docs/docker.md.
#   sh docker/restore.sh [NAME]
# The processes are stopped meanwhile. If the restore of PostgreSQL fails, nothing has changed, and they start
# again. If Redis cannot be emptied after it, they stay stopped: run the same command again.
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
trap 'echo "The restore failed and changed nothing; starting the product again." >&2; start' EXIT
docker compose run --rm -T restore /scripts/check.sh
docker compose run --rm -T restore /scripts/restore.sh
trap 'echo "PostgreSQL has the backup, and Redis still has later balances. The product stays stopped." \
  "Run restore.sh again when Redis responds." >&2' EXIT
# No process serves before it: Redis has balances of a later time than the ledger.
docker compose run --rm -T admin empty-redis --yes
trap - EXIT
# A dump has no privileges: `up` migrates, which grants them.
start
