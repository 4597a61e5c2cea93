import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '../../..')
const archiveBytesMax = 2 ** 28

/** Whether this checkout's history has a commit; false in a clone without history. */
export function hasCommit(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: checkout }).status === 0
}

/**
 * Writes a former commit into an empty folder and gives it the packages of this checkout, and its own workspaces, so
 * that its programs run.
 */
export async function checkOutFormer(commit: string, folder: string): Promise<void> {
  const archive = execFileSync('git', ['archive', commit], { cwd: checkout, maxBuffer: archiveBytesMax })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const scope = '@busbar'
  await mkdir(join(folder, 'node_modules', scope), { recursive: true })
  for (const name of await readdir(join(checkout, 'node_modules'))) {
    if (name === scope) continue
    await symlink(join(checkout, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const name of await readdir(join(checkout, 'node_modules', scope))) {
    await symlink(join(folder, name), join(folder, 'node_modules', scope, name))
    const own = join(checkout, name, 'node_modules')
    if (existsSync(own) && existsSync(join(folder, name)))
      await symlink(own, join(folder, name, 'node_modules'))
  }
}
