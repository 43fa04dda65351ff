# Deploys one workspace package into /out, at its path in the repository: the build output and the
# production dependencies, without sources, declarations and source maps.
set -eu
folder=$1
pnpm --filter "./$folder" deploy --prod --no-optional --ignore-scripts --offline "/out/$folder"
cd /out

# Folders of the workspace packages that only building needs.
for package in "$folder" "$folder"/node_modules/.pnpm/@vcds+*/node_modules/@vcds/*; do
  rm -rf "$package/describe" "$package/site"
done
# Prisma's query compilers, of which a generated client imports one, with its PostgreSQL.
used=$(grep -rhoE --include='*.js' 'query_compiler_[a-z]+_bg\.postgresql' "$folder/dist" \
  "$folder"/node_modules/.pnpm/@vcds+*/node_modules/@vcds/*/dist 2>/dev/null | sort -u || true)
find . -path '*/@prisma/client/runtime/*' \( -name 'wasm-compiler-edge.*' \
  -o -name 'query_compiler_*' \) | while read -r file; do
  case " $(echo $used) " in
  *" $(basename "$file" | cut -d . -f 1,2) "*) ;;
  *) rm "$file" ;;
  esac
done
find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \
  -o -name .tsbuildinfo -o -name '.modules.yaml' -o -name '.pnpm-workspace-state*' \
  -o -name pnpm-lock.yaml -o -name lock.yaml -o -name pnpm-workspace.yaml \) -delete
find . -depth -type d -empty -delete

# The layer depends on the contents only, not on the time of the build.
find . -exec touch -h -d @0 {} +
