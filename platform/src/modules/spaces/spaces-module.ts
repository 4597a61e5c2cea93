import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { setBudgets } from './storage.ts'

const megabyte = 1_048_576

/**
 * The budgets of the bytes that a person and an enterprise keep. The database itself counts what the tables of all
 * modules keep and refuses what is beyond a budget, so that no statement can be forgotten; `kernel/http/storage-full.ts`
 * turns its refusal into an answer (rules/data-centre.md: storage).
 */
export function createSpacesModule({ db, config }: Kernel): Module {
  return {
    name: 'spaces',
    roles: ['api'],
    start: () => setBudgets(db, config.STORAGE_MB_PERSON * megabyte, config.STORAGE_MB_ENTERPRISE * megabyte),
  }
}
