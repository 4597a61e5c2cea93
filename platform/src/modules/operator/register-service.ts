import { operator as contract, cutToWidth, demoMachineCode, type InputOf, limits } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import { createToken, hashPassword, hashToken } from '../accounts/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { createMachines, type NewMachine, updateMachine } from '../machine-register/index.ts'
import { createMachinePassword } from '../machines/index.ts'
import type { Db } from './operator-store.ts'
import { type ImportLine, parseImport, splitLines } from './parse-import.ts'
import * as store from './register-store.ts'

/** Hashes at a time: people who sign in meanwhile must not wait behind a file. */
const hashesAtOnce = 2

/**
 * Registers the machines of a part of a file: known codes are refused, never overwritten. The texts in
 * `secrets` are kept as hashes only. Throws 12010302 for more lines than one call takes (rules/operations.md: machine
 * register).
 */
export async function importMachines(
  db: Db,
  actor: Actor,
  input: InputOf<typeof contract.importMachines>,
): Promise<{
  created: number
  refused: { line: number; reason: contract.Refusal }[]
  secrets: contract.MachineSecrets[]
}> {
  const lines = splitLines(input.csv)
  if (lines.length > contract.importLinesMax) throw new Failure('12010302')
  const { good, refused } = parseImport(lines, input.firstLine)
  const known = await store.listKnownCodes(
    db,
    good.map(({ code }) => code),
  )
  const wished = good.filter(({ code }) => !known.has(code))
  const prepared = await prepareAll(wished)
  const created = await db.transaction().execute(async (trx) => {
    const made = await createMachines(
      trx,
      prepared.map(({ row }) => row),
    )
    const codes = [...made.keys()]
    if (codes.length > 0)
      await auditAct(trx, actor, {
        action: 'machine.import',
        target: codes.length === 1 ? (codes[0] ?? '') : `${codes.length}`,
        detail: { codes },
      })
    return new Set(codes)
  })
  return {
    created: created.size,
    refused: [
      ...refused,
      ...good
        .filter(({ code }) => !created.has(code))
        .map(({ line }) => ({ line, reason: 'known' as const })),
    ].sort((a, b) => a.line - b.line),
    secrets: prepared.filter(({ row }) => created.has(row.code)).map(({ told }) => told),
  }
}

interface Prepared {
  readonly row: NewMachine
  readonly told: contract.MachineSecrets
}

async function prepareAll(lines: readonly ImportLine[]): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (let from = 0; from < lines.length; from += hashesAtOnce)
    prepared.push(...(await Promise.all(lines.slice(from, from + hashesAtOnce).map(prepare))))
  return prepared
}

/** The part of the maker's text that fits the name of a machine. */
const nameOf = (text: string): string =>
  cutToWidth(
    text
      .replace(/[<>"'\\`\p{Cc}\p{Bidi_Control}]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    limits.machineNameMax,
  ).trim()

async function prepare({ code, type, model, password: given }: ImportLine): Promise<Prepared> {
  const password = given ?? createMachinePassword()
  const secret = createToken()
  return {
    row: {
      code,
      type,
      model,
      name: nameOf(model) || nameOf(type) || code,
      secretHash: hashToken(secret),
      passwordHash: await hashPassword(password, 'known'),
    },
    told: { machineCode: code, type, model, password, secret },
  }
}

/**
 * Renews password and secret of an unowned machine, for a lost label. Throws 404, and 12010301 for an owned one: only
 * its Akey can do that.
 */
export async function renewLabel(db: Db, actor: Actor, machineId: number): Promise<contract.MachineSecrets> {
  const password = createMachinePassword()
  const secret = createToken()
  const passwordHash = await hashPassword(password, 'known')
  const machine = await db.transaction().execute(async (trx) => {
    const found = await store.lockMachine(trx, machineId)
    if (!found || found.code === demoMachineCode) throw new Failure('404')
    if (found.owner_user_id !== null || found.owner_enterprise_id !== null) throw new Failure('12010301')
    await updateMachine(trx, machineId, { password_hash: passwordHash, secret_hash: hashToken(secret) })
    // A connection with the old secret is cut.
    await recordRightChange(trx, { machineId, reason: 'secretReset' })
    await auditAct(trx, actor, { action: 'machine.label', target: found.code })
    return found
  })
  return { machineCode: machine.code, type: machine.type, model: machine.model, password, secret }
}
