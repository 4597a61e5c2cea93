import {
  type BoardLayout,
  boardLimits,
  boards as contract,
  enterprises,
  messages,
  type Tile,
} from '@busbar/contract'
import { sample } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { failureOf, PushClient, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, onTestFinished, test } from 'vitest'

/** Calls that find out accounts are limited by the minute: each share comes in one of its own. */
const minuteMs = 61_000
let now = Date.now()
const site = useSite({}, { now: () => now })

const place = { x: 0, y: 0, w: 4, h: 4 }
const note: Tile = { ...place, id: 'note', type: 'text', title: '', text: 'Shift A' }
const value = (machine: number, id = 'value'): Tile => ({
  ...place,
  id,
  type: 'value',
  title: 'Press 7',
  tag: { machine, group: '', tag: 'temp' },
})
const layoutOf = (...tiles: Tile[]): BoardLayout => ({ variable: null, range: { lastMs: 3_600_000 }, tiles })

const createBoard = async (user: TestUser, tiles: Tile[] = [note], eid?: number) => {
  const board = { name: 'Line 1', layout: layoutOf(...tiles), ...(eid && { eid }) }
  return (await site.as(user).call(contract.createBoard, board)).id
}
type Receiver = { account: string } | { userId: number } | { eid: number }
const share = (user: TestUser, id: number, to: Receiver, right: contract.BoardShareRight = 'look') => {
  now += minuteMs
  return site.as(user).call(contract.shareBoard, { id, right, ...to })
}
const to = ({ email: account }: { email: string }) => ({ account })
const open = (user: TestUser, id: number) => site.as(user).call(contract.getBoard, { id })
const list = (user: TestUser, eid?: number) => site.as(user).call(contract.listBoards, eid ? { eid } : {})
const save = (user: TestUser, id: number, version: number, ...tiles: Tile[]) =>
  site.as(user).call(contract.updateBoard, { id, version, layout: layoutOf(...tiles) })

async function openPage(user: TestUser): Promise<PushClient> {
  const page = await PushClient.open(site.url, user.token)
  onTestFinished(() => page.close())
  page.heartbeat()
  await page.find(({ scene }) => (scene === 'heartbeat' ? true : undefined))
  return page
}

test('a board is shared with a person, who looks at it, and then edits it', async () => {
  const [owner, receiver] = [await site.createUser(), await site.createUser()]
  const id = await createBoard(owner)
  expect(await site.refusalOf(receiver, contract.getBoard, { id })).toBe('404')
  const made = await share(owner, id, to(receiver))
  expect(await list(receiver)).toMatchObject([{ id, mayEdit: false, mayShare: false }])
  const [{ sharedBy } = {}] = await list(receiver)
  expect(sharedBy).toBe((await site.as(owner).call(contract.listBoardShares, { id }))[0]?.by)
  expect(await open(receiver, id)).toMatchObject({ mayEdit: false, sharedBy, layout: layoutOf(note) })
  const layout = layoutOf()
  expect(await site.refusalOf(receiver, contract.updateBoard, { id, version: 1, layout })).toBe('403')
  expect(await share(owner, id, to(receiver), 'edit')).toEqual(made)
  expect(await save(receiver, id, 1, note, { ...note, id: 'second' })).toEqual({ version: 2 })
  expect(await open(owner, id)).toMatchObject({ version: 2, mayShare: true, sharedBy: null })
  // To edit is neither to delete nor to share.
  for (const route of [contract.deleteBoard, contract.listBoardShares])
    expect(await site.refusalOf(receiver, route, { id })).toBe('403')
  const third = await site.createUser()
  expect(await site.refusalOf(receiver, contract.shareBoard, { id, right: 'look', ...to(third) })).toBe('403')
  expect(await site.refusalOf(third, contract.endBoardShare, { id, shareId: made.id })).toBe('404')
})

test('a person is told once that a board was shared with them', async () => {
  const [owner, receiver] = [await site.createUser(), await site.createUser()]
  const id = await createBoard(owner)
  await share(owner, id, to(receiver))
  await share(owner, id, to(receiver), 'edit')
  const { list: inbox } = await site.as(receiver).call(messages.listMessages, { scene: 'inbox' })
  expect(inbox).toMatchObject([
    { type: 'notice', title: 'Board shared with you', boardId: id, mayAnswer: false },
  ])
  expect(inbox[0]?.body).toContain('“Line 1” with you, to view')
})

test('an enterprise that a board is shared with sees it, and its managers edit it', async () => {
  const { eid, owner } = await site.createEnterprise()
  const [member, manager] = [await site.createMember(eid), await site.createMember(eid, 'member', ['manage'])]
  const id = await createBoard(owner)
  await share(owner, id, { eid }, 'edit')
  expect(await list(member, eid)).toMatchObject([{ id, mayEdit: false }])
  expect(await list(manager, eid)).toMatchObject([{ id, mayEdit: true, mayShare: false }])
  expect(await open(member, id)).toMatchObject({ mayEdit: false })
  expect(await save(manager, id, 1)).toEqual({ version: 2 })
  // Only for those who may change the enterprise's boards.
  const theirs = await createBoard(member)
  expect(await site.refusalOf(member, contract.shareBoard, { id: theirs, right: 'look', eid })).toBe('403')
  // With the membership the board is lost.
  await site.as(owner).call(enterprises.removeMember, { eid, userId: member.userId })
  expect(await site.refusalOf(member, contract.getBoard, { id })).toBe('404')
  // A locked enterprise gives and receives nothing.
  const ofSpace = await createBoard(manager, [note], eid)
  await share(manager, ofSpace, { userId: owner.userId }, 'edit')
  expect(await list(owner)).toMatchObject([{ id }, { id: ofSpace }])
  await site.db.updateTable('enterprises').set({ state: 'locked' }).where('id', '=', eid).execute()
  expect(await list(owner)).toMatchObject([{ id }])
  expect(await site.refusalOf(owner, contract.getBoard, { id: ofSpace })).toBe('404')
  expect(await site.refusalOf(manager, contract.getBoard, { id })).toBe('404')
})

test('a shared board shows and loses nothing of devices that its receiver may not see', async () => {
  const [owner, receiver] = [await site.createUser(), await site.createUser()]
  const { machineId } = await site.createMachine({ owner: owner.userId })
  await site.platform.telemetry.append(machineId, [sample('temp', 20.5, { time: Date.now() })])
  const id = await createBoard(owner, [value(machineId), note])
  await share(owner, id, to(receiver), 'edit')
  const seen = await open(receiver, id)
  expect(JSON.stringify(seen)).not.toMatch(/temp|Press 7/)
  // The tile that they see empty is kept, where they put it.
  const [hidden = note, text = note] = seen.layout.tiles
  await save(receiver, id, 1, { ...hidden, x: 8 }, { ...text, title: 'Night' })
  expect((await open(owner, id)).layout.tiles).toEqual([
    { ...value(machineId), x: 8 },
    { ...note, title: 'Night' },
  ])
  // Neither does a conflict tell more.
  const refused = await failureOf(site.as(receiver), contract.updateBoard, { id, version: 1, name: 'Mine' })
  expect(refused.code).toBe('BOARD_CHANGED')
  expect(JSON.stringify(refused.data)).not.toMatch(/temp|Press 7/)
})

test('an open page is told at once of the end of a share, and of another right', async () => {
  const [owner, receiver] = [await site.createUser(), await site.createUser()]
  const id = await createBoard(owner)
  const page = await openPage(receiver)
  const told = (version: number, rights: boolean) =>
    page.find((event) =>
      event.scene === 'board' && event.change.version === version && event.change.rights === rights
        ? event.change
        : undefined,
    )
  const { id: shareId } = await share(owner, id, to(receiver), 'edit')
  expect(await told(1, true)).toMatchObject({ boardId: String(id), deleted: false })
  await open(receiver, id)
  await save(owner, id, 1)
  await told(2, false)
  await site.as(owner).call(contract.endBoardShare, { id, shareId })
  await told(2, true)
  expect(await site.refusalOf(receiver, contract.getBoard, { id })).toBe('404')
  expect(await list(receiver)).toEqual([])
})

test('its receiver ends a share, and a deleted board is in no list', async () => {
  const [owner, receiver] = [await site.createUser(), await site.createUser()]
  const id = await createBoard(owner)
  const { id: shareId } = await share(owner, id, to(receiver))
  await site.as(receiver).call(contract.endBoardShare, { id, shareId })
  expect(await site.as(owner).call(contract.listBoardShares, { id })).toEqual([])
  expect(await site.refusalOf(owner, contract.endBoardShare, { id, shareId })).toBe('404')
  await share(owner, id, to(receiver))
  await site.as(owner).call(contract.deleteBoard, { id })
  expect(await list(receiver)).toEqual([])
  expect(await site.refusalOf(receiver, contract.restoreBoard, { id })).toBe('403')
  await site.as(owner).call(contract.restoreBoard, { id })
  expect(await list(receiver)).toMatchObject([{ id }])
})

test('shares have limits, and none is with the space of the board itself', async () => {
  const { eid, owner } = await site.createEnterprise()
  const receiver = await site.createUser()
  const [id, ofSpace] = [await createBoard(owner), await createBoard(owner, [note], eid)]
  const refusalOf = (board: number, receiver: Receiver) =>
    share(owner, board, receiver).then(
      () => 'shared',
      ({ code }: { code: string }) => code,
    )
  expect(await refusalOf(id, to(owner))).toBe('BOARD_SHARE_OWN')
  expect(await refusalOf(ofSpace, { eid })).toBe('BOARD_SHARE_OWN')
  expect(await refusalOf(id, { account: 'nobody@busbar.test' })).toBe('01010304')
  const of = { access: 'look', at: new Date() }
  const people = await Promise.all(
    Array.from({ length: boardLimits.sharesPerBoard }, () => site.createUser()),
  )
  await site.db
    .insertInto('board_shares')
    .values(people.map(({ userId }) => ({ ...of, board_id: id, user_id: userId })))
    .execute()
  expect(await refusalOf(id, to(receiver))).toBe('BOARD_SHARES_FULL')
  const many = await site.db
    .insertInto('boards')
    .values(
      Array.from({ length: boardLimits.sharedBoardsPerSpace }, () => ({
        user_id: owner.userId,
        name: 'x',
        layout: JSON.stringify(layoutOf()),
        tiles: 0,
        created_at: new Date(),
        updated_at: new Date(),
      })),
    )
    .returning('id')
    .execute()
  await site.db
    .insertInto('board_shares')
    .values(many.map((board) => ({ ...of, board_id: board.id, user_id: receiver.userId })))
    .execute()
  expect(await refusalOf(ofSpace, to(receiver))).toBe('SHARED_BOARDS_FULL')
})
