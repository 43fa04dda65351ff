import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

/** The purpose of a server: durable data, or the data of a test run. */
export type PostgresPurpose = 'durable' | 'disposable';

const MEBIBYTE = 1_048_576;

/** Less shared memory is too small for parallel queries (containers have 64 MB). */
const SHARED_MEMORY_MIN = 256 * MEBIBYTE;

/** Server settings by the memory of the machine, most of which is left to other programs. */
export function postgresSettings(purpose: PostgresPurpose): Record<string, string> {
  const memoryMiB = Math.floor(totalmem() / MEBIBYTE);
  const common = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    dynamic_shared_memory_type: dynamicSharedMemory(),
    random_page_cost: '1.1',
    work_mem: '16MB',
    jit: 'off',
  };
  if (purpose === 'disposable') {
    return {
      ...common,
      shared_buffers: '128MB',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      wal_init_zero: 'off',
      max_wal_size: '1GB',
    };
  }
  return {
    ...common,
    shared_buffers: `${Math.min(512, Math.max(128, Math.floor(memoryMiB / 8)))}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(memoryMiB / 2))}MB`,
    maintenance_work_mem: '128MB',
    max_wal_size: '2GB',
    wal_compression: 'on',
    checkpoint_timeout: '15min',
  };
}

function dynamicSharedMemory(): 'posix' | 'mmap' {
  if (process.platform !== 'linux') return 'posix';
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= SHARED_MEMORY_MIN ? 'posix' : 'mmap';
  } catch {
    return 'mmap';
  }
}
