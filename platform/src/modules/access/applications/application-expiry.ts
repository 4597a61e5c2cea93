import { applications as contract } from '@busbar/contract'
import { withTransaction } from '../../../kernel/database/database.ts'
import type { NewFact } from '../../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../../kernel/facts/facts.ts'
import type { ClockJob } from '../../../kernel/jobs/index.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { endApplication, listApplicationRows, listKeys, lockMachine } from '../index.ts'
import { stateAt } from './application-rules.ts'
import { type Db, listRunOutMachines } from './applications-store.ts'
import { removeExpiredTickets } from './password-tickets-store.ts'

const { auditStates } = contract

const checkEveryS = 5

export interface ApplicationExpiryDeps {
  readonly db: Db
  readonly facts: Pick<Facts, 'recordAll'>
  readonly logger: Logger
  now(): number
}

/**
 * Ends applications that were not answered in time and notifies the people concerned. Readers do not depend on it: an
 * expired application is over for everybody at once.
 */
export class ApplicationExpiry {
  readonly #deps: ApplicationExpiryDeps

  constructor(deps: ApplicationExpiryDeps) {
    this.#deps = deps
  }

  get jobs(): readonly ClockJob[] {
    return [{ name: 'applications.expire', everyS: checkEveryS, run: () => this.check() }]
  }

  /** Ends everything that has run out by now. */
  async check(): Promise<void> {
    const { db, logger, now } = this.#deps
    const at = new Date(now())
    await removeExpiredTickets(db, at)
    for (const machineId of await listRunOutMachines(db, at)) {
      // A failure delays none of the others.
      await this.#endOf(machineId, at).catch((error) =>
        logger.warn({ err: error, machineId }, 'applications.endFailed'),
      )
    }
  }

  async #endOf(machineId: number, at: Date): Promise<void> {
    const { db, facts } = this.#deps
    await withTransaction(db, async (trx) => {
      const machine = await lockMachine(trx, machineId)
      const open = machine ? await listApplicationRows(trx, { machineId }) : []
      const runOut = open.filter((row) => stateAt(row, at.getTime()) === auditStates.over)
      if (!machine || runOut.length === 0) return
      const keys = await listKeys(trx, machineId, at.getTime())
      const about = { machineId, machineCode: machine.code, by: null, at: at.getTime() }
      const ended: NewFact[] = []
      for (const application of runOut) {
        const end = { step: 'expired', state: auditStates.over } as const
        ended.push({ ...(await endApplication(trx, application, end, keys, at)), ...about })
      }
      await facts.recordAll(trx, ended)
    })
  }
}
