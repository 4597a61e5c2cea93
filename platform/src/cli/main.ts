import { auditVerifyCommand } from './audit-commands.ts'
import { backupCommand, restoreCommand } from './backup-commands.ts'
import { bounceCommand } from './bounce-command.ts'
import { type Command, CommandError, type FileCommand } from './command.ts'
import { machineCreateCommand, machineListCommand } from './machine-commands.ts'
import { nodeCertificatesCommand, nodeRevokeCommand } from './node-commands.ts'
import { operatorCreateCommand, userResetFactorCommand } from './operator-commands.ts'
import { outboxCommand } from './outbox-commands.ts'
import { simulateCommand } from './simulate-command.ts'
import { userCreateCommand, userPasswordCommand } from './user-commands.ts'
import { withDatabase } from './with-database.ts'

const commands: readonly (Command | FileCommand)[] = [
  machineCreateCommand,
  machineListCommand,
  userCreateCommand,
  userPasswordCommand,
  userResetFactorCommand,
  operatorCreateCommand,
  auditVerifyCommand,
  outboxCommand,
  bounceCommand,
  backupCommand,
  restoreCommand,
  nodeCertificatesCommand,
  nodeRevokeCommand,
  simulateCommand,
]

const nameOf = (command: Command | FileCommand) => command.name.join(' ')

function help(): string {
  const width = Math.max(...commands.map((command) => nameOf(command).length))
  const lines = commands.map((command) => `  ${nameOf(command).padEnd(width)}  ${command.summary}`)
  return ['busbar: administrate this platform', '', ...lines, '', 'busbar COMMAND --help tells more.'].join(
    '\n',
  )
}

async function main(args: readonly string[]): Promise<number> {
  const command = commands.find((candidate) => candidate.name.every((word, place) => args[place] === word))
  if (!command) {
    const asked = args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help'
    if (!asked) console.error(`There is no command "${args.slice(0, 2).join(' ')}".\n`)
    console[asked ? 'log' : 'error'](help())
    return asked ? 0 : 2
  }
  const rest = args.slice(command.name.length)
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(`busbar ${nameOf(command)}: ${command.summary}\n\n${command.usage}`)
    return 0
  }
  try {
    if (command.needsDatabase === false) await command.prepare(rest)()
    else await withDatabase(command.prepare(rest), { makesDatabase: command.makesDatabase ?? false })
    return 0
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.error(error.message)
    return error.exitCode
  }
}

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  return 1
})
