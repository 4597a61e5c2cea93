import path from 'node:path'
import { readConfig } from '../config.ts'
import { chooseDataDir } from '../kernel/database/data-dir.ts'
import { auditFiles, readAuditHead, readAuditKey, verifyAudit } from '../modules/audit/index.ts'
import { type Command, CommandError, readOptions } from './command.ts'

const checkoutDir = path.resolve(import.meta.dirname, '../../..')
const text = { type: 'string' } as const

/** `busbar audit verify` */
export const auditVerifyCommand: Command = {
  name: ['audit', 'verify'],
  summary: 'check that no entry of the audit log was changed or removed',
  usage: '  --key FILE  the key that sealed the log, if this platform uses another one',
  prepare(args) {
    const given = readOptions(args, { key: text }, [])
    const config = readConfig(process.env)
    const dataDir = config.DATA_DIR ?? chooseDataDir(checkoutDir)
    const keyFile = given.key ? path.resolve(process.env.INIT_CWD ?? '.', given.key) : config.AUDIT_KEY_FILE
    const files = auditFiles(dataDir, keyFile)
    return async (db) => {
      const key = await readAuditKey(files.key)
      if (!key) throw new CommandError(`There is no audit key at ${files.key}: start the platform once`)
      const verdict = await verifyAudit(db, key, await readAuditHead(files.head))
      const open = verdict.open.count ? `, ${verdict.open.count} not sealed yet` : ''
      console.log(`${verdict.entries} entries in ${verdict.batches} sealed batches${open}`)
      if (verdict.findings.length > 0) throw new CommandError(verdict.findings.join('\n'))
      console.log('No sealed entry was changed or removed.')
    }
  },
}
