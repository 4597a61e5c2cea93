import { type BoardLayout, boardLimits, boards as contract, type Tile } from '@busbar/contract'
import { sample } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { failureOf, PushClient, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, onTestFinished, test } from 'vitest'

const dayMs = 86_400_000
let now = Date.now()
const site = useSite({}, { now: () => now })

const place = { x: 0, y: 0, w: 4, h: 4, title: '' }
const note = (id: string, text = 'Shift A'): Tile => ({ ...place, id, type: 'text', text })
const value = (machine: number | string, tag = 'temp', id = 'value'): Tile => ({
  ...place,
  id,
  type: 'value',
  title: 'Press 7',
  tag: { machine, group: '', tag },
})
const layoutOf = (tiles: Tile[], more: Partial<BoardLayout> = {}): BoardLayout => ({
  variable: null,
  range: { lastMs: 3_600_000 },
  tiles,
  ...more,
})

const createBoard = async (user: TestUser, tiles: Tile[] = [], eid?: number) =>
  (
    await site
      .as(user)
      .call(contract.createBoard, { name: 'Line 1', layout: layoutOf(tiles), ...(eid && { eid }) })
  ).id
const open = (user: TestUser, id: number) => site.as(user).call(contract.getBoard, { id })
const save = (user: TestUser, id: number, version: number, tiles: Tile[]) =>
  site.as(user).call(contract.updateBoard, { id, version, layout: layoutOf(tiles) })
const list = (user: TestUser, more: { eid?: number; deleted?: boolean } = {}) =>
  site.as(user).call(contract.listBoards, more)

/** A person's machine with a value. */
async function createPress(owner: TestUser) {
  const machine = await site.createMachine({ owner: owner.userId, type: 'press' })
  await site.platform.telemetry.append(machine.machineId, [sample('temp', 20.5, { time: Date.now() })])
  return machine
}

test('a board is made, listed, opened and changed, and its former versions come back', async () => {
  const user = await site.createUser()
  const id = await createBoard(user, [note('a')])
  expect(await list(user)).toMatchObject([{ id, name: 'Line 1', tiles: 1, version: 1, mayEdit: true }])
  expect(await open(user, id)).toMatchObject({ layout: layoutOf([note('a')]), version: 1, eid: null })
  expect(await save(user, id, 1, [note('a'), note('b')])).toEqual({ version: 2 })
  await site.as(user).call(contract.updateBoard, { id, version: 2, name: 'Line 2' })
  expect(await site.as(user).call(contract.listBoardVersions, { id })).toMatchObject([
    { version: 2, name: 'Line 1', tiles: 2 },
    { version: 1, name: 'Line 1', tiles: 1 },
  ])
  expect(await site.as(user).call(contract.restoreBoardVersion, { id, version: 1 })).toEqual({ version: 4 })
  expect(await open(user, id)).toMatchObject({ name: 'Line 1', layout: layoutOf([note('a')]) })
})

test('a second editor is refused with the state of the first, by name, and overwrites nothing', async () => {
  const { eid, owner } = await site.createEnterprise()
  const mate = await site.createMember(eid, 'member', ['manage'])
  const id = await createBoard(owner, [note('a')], eid)
  await save(owner, id, 1, [note('a', 'Mine')])
  const refused = await failureOf(site.as(mate), contract.updateBoard, {
    id,
    version: 1,
    layout: layoutOf([note('a', 'Theirs')]),
  })
  const { updatedBy } = await open(owner, id)
  expect(updatedBy).not.toBe('')
  expect(refused).toMatchObject({ http: 200, hwcode: 420, code: 'BOARD_CHANGED' })
  expect(refused.data).toMatchObject({ version: 2, layout: layoutOf([note('a', 'Mine')]), by: updatedBy })
  expect((await open(mate, id)).layout).toEqual(layoutOf([note('a', 'Mine')]))
})

test('changes at the same moment: one is saved, the others are refused', async () => {
  const user = await site.createUser()
  const id = await createBoard(user)
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((tile) => save(user, id, 1, [note(tile)])))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await open(user, id)).version).toBe(2)
})

test('a change reaches the others who have the board open, and no one else', async () => {
  const { eid, owner } = await site.createEnterprise()
  const [mate, other] = [await site.createMember(eid), await site.createMember(eid)]
  const id = await createBoard(owner, [note('a')], eid)
  await open(mate, id)
  const pages = await Promise.all(
    [mate, other].map(async (user) => {
      const page = await PushClient.open(site.url, user.token)
      onTestFinished(() => page.close())
      page.heartbeat()
      await page.find(({ scene }) => (scene === 'heartbeat' ? true : undefined))
      return page
    }),
  )
  const [ofMate, ofOther] = pages as [PushClient, PushClient]
  await save(owner, id, 1, [note('b')])
  const change = await ofMate.find((event) => (event.scene === 'board' ? event.change : undefined))
  expect(change).toMatchObject({ boardId: String(id), version: 2, deleted: false })
  expect(change.by).not.toBe('')
  ofOther.heartbeat()
  expect(ofOther.events.filter(({ scene }) => scene === 'board')).toEqual([])
})

test('members read boards of their enterprise, those who manage it edit them, others get 404', async () => {
  const { eid, owner } = await site.createEnterprise()
  const member = await site.createMember(eid, 'member', ['view', 'control', 'alarm'])
  const manager = await site.createMember(eid, 'member', ['manage'])
  const stranger = await site.createUser()
  const id = await createBoard(manager, [note('a')], eid)
  expect(await open(member, id)).toMatchObject({ mayEdit: false })
  expect(await list(member, { eid })).toMatchObject([{ id, mayEdit: false }])
  const layout = layoutOf([])
  const refuse = async (user: TestUser, code: string) => {
    const as = site.as(user)
    expect((await failureOf(as, contract.updateBoard, { id, version: 1, layout })).code).toBe(code)
    expect((await failureOf(as, contract.deleteBoard, { id })).code).toBe(code)
    expect((await failureOf(as, contract.listBoardVersions, { id })).code).toBe(code)
  }
  await refuse(member, '403')
  await refuse(stranger, '404')
  expect(await site.refusalOf(member, contract.createBoard, { name: 'x', eid, layout })).toBe('403')
  expect(await site.refusalOf(stranger, contract.listBoards, { eid })).toBe('403')
  expect(await site.refusalOf(stranger, contract.getBoard, { id })).toBe('404')
  expect(await site.refusalOf(owner, contract.getBoard, { id: 999_999 })).toBe('404')
  // People's own boards are hidden from others.
  const own = await createBoard(member)
  expect(await site.refusalOf(owner, contract.getBoard, { id: own })).toBe('404')
})

test('a board gives no right: names and values of machines that the reader may not see stay away', async () => {
  const { eid, owner } = await site.createEnterprise()
  const member = await site.createMember(eid)
  const { machineId } = await createPress(owner)
  const id = await createBoard(owner, [value(machineId)], eid)
  const shown = await open(member, id)
  expect(JSON.stringify(shown)).not.toMatch(/temp|Press 7/)
  const tags = [{ machine: machineId, group: '', tag: 'temp' }]
  expect(await site.as(member).call(contract.lookUpBoardTags, { tags, machines: [machineId] })).toEqual({
    machines: [],
    tags: [],
  })
  const seen = await site.as(owner).call(contract.lookUpBoardTags, { tags })
  expect(seen.machines).toMatchObject([{ id: machineId, type: 'press', online: false }])
  expect(seen.tags).toMatchObject([{ machineId, tag: 'temp', wireGroup: '', latest: { value: 20.5 } }])
  const tagIds = seen.tags.map(({ tagId }) => tagId)
  const named = await site.as(owner).call(contract.lookUpBoardTags, { tags: [], tagIds })
  expect(named.tags).toMatchObject([{ machineId, tag: 'temp', wireGroup: '' }])
  expect((await site.as(member).call(contract.lookUpBoardTags, { tags: [], tagIds })).tags).toEqual([])
  const file = await site.as(member).call(contract.exportBoard, { id })
  expect(JSON.stringify(file)).not.toMatch(/temp|Press 7/)
})

test('a deleted board can be restored for 30 days, and is gone after them', async () => {
  const user = await site.createUser()
  const id = await createBoard(user, [note('a')])
  await site.as(user).call(contract.deleteBoard, { id })
  expect(await list(user)).toEqual([])
  expect(await site.refusalOf(user, contract.getBoard, { id })).toBe('404')
  expect(await list(user, { deleted: true })).toMatchObject([{ id, tiles: 1 }])
  await site.as(user).call(contract.restoreBoard, { id })
  expect(await open(user, id)).toMatchObject({ layout: layoutOf([note('a')]) })
  await site.as(user).call(contract.deleteBoard, { id })
  const before = now
  onTestFinished(() => {
    now = before
  })
  now += boardLimits.boardRestoreDays * dayMs + 1
  expect(await site.refusalOf(user, contract.restoreBoard, { id })).toBe('404')
})

test('a board of an enterprise that was removed for good asked for a second connection in its transaction', async () => {
  const { eid, owner } = await site.createEnterprise()
  const member = await site.createMember(eid)
  const id = await createBoard(owner, [note('a')], eid)
  const remove = { id, forGood: true }
  expect(await site.refusalOf(owner, contract.deleteBoard, remove)).toBe('404')
  await site.as(owner).call(contract.deleteBoard, { id })
  expect(await site.refusalOf(member, contract.deleteBoard, remove)).toBe('403')
  await site.as(owner).call(contract.deleteBoard, remove)
  expect(await list(owner, { eid, deleted: true })).toEqual([])
})

test('a template puts any device of the type in the place of the one it was made with', async () => {
  const user = await site.createUser()
  const { machineId } = await createPress(user)
  const id = await createBoard(user, [value(machineId)])
  const as = site.as(user)
  expect((await failureOf(as, contract.saveBoardTemplate, { id, name: 'Press' })).code).toBe(
    'BOARD_NO_VARIABLE',
  )
  const template = await as.call(contract.saveBoardTemplate, { id, name: 'Press', machineId })
  expect(await as.call(contract.listBoardTemplates, {})).toMatchObject([
    { id: template.id, name: 'Press', machineType: 'press', tiles: 1 },
  ])
  const made = await as.call(contract.useBoardTemplate, { id: template.id, name: 'Any press' })
  expect((await open(user, made.id)).layout).toEqual(
    layoutOf([value('$machine')], { variable: { machineType: 'press' } }),
  )
  await as.call(contract.deleteBoardTemplate, { id: template.id })
  expect(await as.call(contract.listBoardTemplates, {})).toEqual([])
})

test('a template brought names of machines that its user may not see', async () => {
  const { eid, owner } = await site.createEnterprise()
  const member = await site.createMember(eid)
  const [press, secret] = [await createPress(owner), await createPress(owner)]
  const tiles = [value(press.machineId), value(secret.machineId, 'recipe', 'second')]
  const id = await createBoard(owner, tiles, eid)
  const template = await site
    .as(owner)
    .call(contract.saveBoardTemplate, { id, name: 'Press', machineId: press.machineId, eid })
  const use = async (user: TestUser) => {
    const made = await site.as(user).call(contract.useBoardTemplate, { id: template.id, name: 'Mine' })
    return JSON.stringify((await open(user, made.id)).layout)
  }
  expect(await use(member)).not.toContain('recipe')
  expect(await use(owner)).toContain('recipe')
})

test('a file names devices by their codes, and an import reports unknown ones and keeps them', async () => {
  const user = await site.createUser()
  const { machineId, code } = await createPress(user)
  const tiles = [value(machineId), value(machineId, 'gone', 'second')]
  const id = await createBoard(user, tiles)
  const file = await site.as(user).call(contract.exportBoard, { id })
  expect(JSON.stringify(file)).toContain(code)
  const back = await site.as(user).call(contract.importBoard, { file })
  expect(back).toMatchObject({
    unknownMachines: [],
    unknownTags: [{ machineCode: code, group: '', tag: 'gone' }],
  })
  expect((await open(user, back.id)).layout).toEqual(layoutOf(tiles))
  const stranger = await site.createUser()
  const there = await site.as(stranger).call(contract.importBoard, { file, name: 'Copy' })
  expect(there.unknownMachines).toEqual([code])
  expect((await open(stranger, there.id)).layout).toEqual(
    layoutOf([value(code), value(code, 'gone', 'second')]),
  )
})

test('an invalid layout is refused: overlong, outside the grid, the same tile twice, unknown kinds', async () => {
  const user = await site.createUser()
  const as = site.as(user)
  const bad = async (layout: unknown, code = '400') =>
    expect(
      (await failureOf(as, contract.createBoard, { name: 'x', layout: layout as BoardLayout })).code,
    ).toBe(code)
  await bad(layoutOf([note('a'), note('a')]))
  await bad(layoutOf([{ ...note('a'), x: 22 }]))
  await bad(layoutOf([{ ...note('a'), type: 'script' } as unknown as Tile]))
  await bad(layoutOf([{ ...note('a'), href: 'javascript:' } as unknown as Tile]))
  await bad(layoutOf([value('$machine')]))
  await bad(layoutOf([], { range: { from: 5, to: 5 } }))
  await bad(layoutOf(Array.from({ length: boardLimits.tilesPerBoard + 1 }, (_, at) => note(`t${at}`))))
  const tags = Array.from({ length: 50 }, (_, at) => ({
    machine: 1,
    group: 'g'.repeat(500),
    tag: `t${at}`,
  }))
  const tables = Array.from(
    { length: 20 },
    (_, at): Tile => ({ ...place, id: `t${at}`, type: 'table', tags }),
  )
  await bad(layoutOf(tables), 'BOARD_TOO_LARGE')
})

test('a person has 200 boards at most, also where they are made at the same moment', async () => {
  const user = await site.createUser()
  const layout = JSON.stringify(layoutOf([]))
  const row = {
    user_id: user.userId,
    name: 'x',
    layout,
    tiles: 0,
    created_at: new Date(),
    updated_at: new Date(),
  }
  await site.db
    .insertInto('boards')
    .values(Array.from({ length: boardLimits.boardsPerSpace - 1 }, () => row))
    .execute()
  const outcomes = await Promise.allSettled([createBoard(user), createBoard(user), createBoard(user)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
