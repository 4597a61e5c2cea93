import type { AgentConfig } from './config.ts'

/**
 * The file as it is: the secret may be in another file, and the outbox's folder is as it was written, null where it was
 * not. `load-config.ts` knows where the file is and does the rest.
 */
export interface ParsedConfig extends Omit<AgentConfig, 'cloud' | 'outbox' | 'folders'> {
  cloud: Omit<AgentConfig['cloud'], 'secret'> & { secret?: string; secretFile?: string }
  outbox: AgentConfig['outbox'] & { disk: boolean }
}
