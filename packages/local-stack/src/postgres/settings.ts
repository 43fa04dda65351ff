import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

/** What a server is for: data that must survive a crash, or a test run that is thrown away. */
export type PostgresPurpose = 'durable' | 'disposable';

const mebibyte = 1_048_576;

/** Shared memory below this is too small for parallel queries (containers have 64 MB). */
const sharedMemoryMin = 256 * mebibyte;

/** Server settings for a machine that has other things to do, sized by its memory. */
export function postgresSettings(purpose: PostgresPurpose): Record<string, string> {
  const memoryMiB = Math.floor(totalmem() / mebibyte);
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
      max_wal_size: '4GB',
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
    return bavail * bsize >= sharedMemoryMin ? 'posix' : 'mmap';
  } catch {
    return 'mmap';
  }
}
