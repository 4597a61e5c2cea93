// `npm run advisories`: asks the registry for advisories about the packages of a start. Ends with 1 where it knows severe
// ones, with 0 where it knows none or cannot be asked, and says which of the two.
import { pathToFileURL } from 'node:url'
import { root } from './checkout.mjs'
import { findNpm } from './install.mjs'
import { runCommand } from './run-command.mjs'

/**
 * @param {string} output of `npm audit --json`
 * @returns {{ code: number, text: string }} the exit code and what a person reads
 */
export function readAdvisories(output) {
  /** @type {{ vulnerabilities?: Record<string, { severity: string, range?: string }>, metadata?: object, message?: string,
   *   statusCode?: number, error?: { summary?: string } } | undefined} */
  let answer
  try {
    answer = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    answer = undefined
  }
  if (!answer?.vulnerabilities || !answer.metadata) {
    const reason =
      answer?.statusCode ?? answer?.message ?? answer?.error?.summary ?? 'no answer that can be read'
    return {
      code: 0,
      text: `NOT CHECKED for advisories: the registry does not answer (${reason}). Check by hand: docs/security.md, Advisories.`,
    }
  }
  const severe = Object.entries(answer.vulnerabilities).filter(([, { severity }]) =>
    ['high', 'critical'].includes(severity),
  )
  const minor = Object.keys(answer.vulnerabilities).length - severe.length
  const lines = severe.map(([name, { severity, range = '' }]) => `  ${severity}  ${name} ${range}`)
  return {
    code: severe.length > 0 ? 1 : 0,
    text: [`Advisories: ${severe.length} severe, ${minor} others`, ...lines].join('\n'),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { program, first } = findNpm()
  const args = [...first, 'audit', '--json', '--omit=dev', '--package-lock-only']
  const { output } = await runCommand(program, args, { cwd: root })
  const { code, text } = readAdvisories(output)
  console.log(text)
  process.exitCode = code
}
