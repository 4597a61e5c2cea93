import { demoMachineCode, limits, machineCode, machineName } from '@busbar/contract'
import { readConfig } from '../config.ts'
import { isCommonPassword } from '../modules/accounts/index.ts'
import { auditServerAct } from '../modules/audit/index.ts'
import { type CodeRange, isInRange } from '../modules/machine-register/index.ts'
import { createCode, registerMachine } from '../modules/machines/index.ts'
import { type Command, CommandError, readOptions } from './command.ts'

const text = { type: 'string' } as const

/** `busbar machine create` */
export const machineCreateCommand: Command = {
  name: ['machine', 'create'],
  summary: 'register a machine; prints its password and secret once',
  usage: [
    `  --name NAME          what it is called until renamed, at most ${limits.machineNameMax} characters (required)`,
    '  --code CODE          its code of 19 digits; without it one is made',
    '  --type TYPE          its type, e.g. injection-press (default machine)',
    '  --model MODEL        its controller, e.g. HX-T10',
    '  --password PASSWORD  the password people bind it with; without it one is made',
  ].join('\n'),
  prepare(args) {
    const given = readOptions(args, { name: text, code: text, type: text, model: text, password: text }, [
      'name',
    ])
    const selfRegistered = readConfig(process.env).SELF_REGISTERED_CODES
    const code = given.code ?? createCodeOutside(selfRegistered)
    if (!machineCode.safeParse(code).success)
      throw new CommandError('--code: a machine code has exactly 19 digits')
    if (code === demoMachineCode) throw new CommandError('--code: nineteen zeros are the demo machine')
    if (isInRange(selfRegistered, code)) {
      const { from, to } = selfRegistered
      throw new CommandError(`--code: ${from} to ${to} are for devices that people register themselves`)
    }
    const name = machineName.safeParse(given.name)
    if (!name.success) {
      throw new CommandError(
        `--name: 1 to ${limits.machineNameMax} characters, narrow ones counted as a half, without < > " ' \\ and \``,
      )
    }
    const { password } = given
    if (
      password &&
      (password.length < limits.machinePasswordMin || password.length > limits.machinePasswordMax)
    ) {
      throw new CommandError(
        `--password: ${limits.machinePasswordMin} to ${limits.machinePasswordMax} characters`,
      )
    }
    if (password && isCommonPassword(password)) {
      throw new CommandError('--password: too common, choose another one')
    }
    return async (db) => {
      const made = await db.transaction().execute(async (trx) => {
        const registered = await registerMachine(trx, {
          code,
          name: name.data,
          type: given.type ?? 'machine',
          model: given.model ?? '',
          ...(password ? { password } : {}),
        })
        if (registered) await auditServerAct(trx, 'machine.create', code, new Date())
        return registered
      })
      if (!made) throw new CommandError(`A machine with the code ${code} is already registered`)
      console.log(`code      ${code}\npassword  ${made.password}\nsecret    ${made.secret}`)
      console.log('\nPeople add the machine with code and password; its agent signs in with code and secret.')
      console.log('Password and secret are shown only once.')
    }
  },
}

function createCodeOutside(range: CodeRange): string {
  const code = createCode()
  return isInRange(range, code) ? createCodeOutside(range) : code
}

/** `busbar machine list` */
export const machineListCommand: Command = {
  name: ['machine', 'list'],
  summary: 'list the registered machines',
  usage: '  no options',
  prepare(args) {
    readOptions(args, {}, [])
    return async (db) => {
      const rows = await db
        .selectFrom('machines')
        .leftJoin('users', 'users.id', 'machines.owner_user_id')
        .select([
          'machines.code',
          'machines.type',
          'machines.name',
          'machines.last_seen_at',
          'users.name as owner',
        ])
        .orderBy('machines.id')
        .execute()
      for (const row of rows) {
        const seen = row.last_seen_at?.toISOString() ?? 'never'
        console.log(
          [row.code, row.type.padEnd(18), seen.padEnd(24), (row.owner ?? '-').padEnd(12), row.name].join(
            '  ',
          ),
        )
      }
    }
  },
}
