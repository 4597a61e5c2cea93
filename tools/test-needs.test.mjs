import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from './run-command.mjs'
import { ensureTestNeeds, findNeed, needs, wrapNeeds } from './test-needs.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'busbar needs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A machine that has none of them, for a person who may not install into it: an empty PATH, an empty system. */
function emptyPlace() {
  const needsDir = join(folder, 'needs')
  const statusFile = join(folder, 'status')
  return { needsDir, folders: [], system: join(folder, 'nothing'), statusFile, isRoot: false }
}

/** @param {string} path @param {string} content */
function writeProgram(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  chmodSync(path, 0o755)
}

test.each(needs.filter(({ packages }) => packages))(
  '$name is found and runs where it is only unpacked',
  async (need) => {
    const place = emptyPlace()
    expect(findNeed(need, place)).toBeUndefined()
    const unpacked = join(place.needsDir, 'debian')
    if (need.file) writeProgram(join(unpacked, need.file), '#!/bin/sh\n')
    if (need.program) writeProgram(join(unpacked, need.program), '#!/bin/sh\necho "unpacked $1"\n')
    if (need.find) writeProgram(join(unpacked, 'usr/share/fonts/NotoSansCJK.ttc'), '')
    wrapNeeds(place)
    const found = findNeed(need, place) ?? expect.fail('not found')
    if (!need.program) return
    const { output } = await runCommand(found.program, ['-h'], { env: { PATH: '' } })
    // The compiler gets its own arguments before those of its caller.
    expect(output).toMatch(/^unpacked -/)
  },
)

test('no library is looked for behind a link that leads out of the packages', () => {
  const place = emptyPlace()
  const unpacked = join(place.needsDir, 'debian')
  writeProgram(join(unpacked, 'usr/bin/socat'), '#!/bin/sh\n')
  writeProgram(join(unpacked, 'usr/lib/apart/libown.so.1'), '')
  writeProgram(join(folder, 'private/libother.so.1'), '')
  symlinkSync(join(folder, 'private'), join(unpacked, 'usr/lib/private'))
  wrapNeeds(place)
  const wrapper = readFileSync(join(place.needsDir, 'bin/socat'), 'utf8')
  expect(wrapper).toContain('LD_LIBRARY_PATH="$needs/debian/usr/lib/apart$')
})

/**
 * Writes what dpkg says of a machine that has only what every Debian has, and the C library of its loader.
 * @param {string} path
 */
function writeBareStatus(path) {
  const packages = readFileSync('/var/lib/dpkg/status', 'utf8').split('\n\n')
  const bare = packages.filter((text) => /^Priority: required$/m.test(text) || /^Package: libc6$/m.test(text))
  // Without what they depend on, of which apt would miss some.
  writeFileSync(path, bare.map((text) => `${text.replaceAll(/^(Pre-)?Depends: .*\n/gm, '')}\n\n`).join(''))
}

test.runIf(process.env.BUSBAR_TEST_LONG === '1')(
  'every need of the tests is had from nothing',
  { timeout: 900_000 },
  async () => {
    const place = emptyPlace()
    writeBareStatus(place.statusFile)
    const said = /** @type {string[]} */ ([])
    expect(await ensureTestNeeds({ place, say: (text) => said.push(text) })).toEqual([])
    // From Debian and from lock files: nothing had to be replaced by npm's.
    expect(said).toHaveLength(2)
    for (const need of needs)
      expect(findNeed(need, place)?.path, need.name).toMatch(new RegExp(`^${place.needsDir}/`))
  },
)
