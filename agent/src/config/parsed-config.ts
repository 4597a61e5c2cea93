import type { AgentConfig } from './config.ts'

/**
 * The parsed file alone: the secret may be in another file, and the outbox's folder is as written, null if it
 * was not. `load-config.ts` knows the file's path and completes it.
 */
export interface ParsedConfig extends Omit<AgentConfig, 'cloud' | 'outbox' | 'folders'> {
  cloud: Omit<AgentConfig['cloud'], 'secret'> & { secret?: string; secretFile?: string }
  outbox: AgentConfig['outbox'] & { disk: boolean }
}
