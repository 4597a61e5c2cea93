import { views as contract, viewLimits } from '@busbar/contract'
import { failureOf } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, it } from 'vitest'

const site = useSite()

const state = { tags: [1, 2], last: 3_600_000, compare: 86_400_000, form: 'xy' as const, x: 1, y: 2 }

describe('saved views', () => {
  it('are saved, listed by name, renamed and deleted by their person, and hidden from others', async () => {
    const person = site.as(await site.createUser({ name: 'Ming Li' }))
    const { id } = await person.call(contract.createView, { name: 'Spike', state })
    await person.call(contract.createView, { name: 'pump', state: { tags: [3], from: 1, until: 2 } })
    await person.call(contract.updateView, { id, name: 'Spike 2' })
    expect(await person.call(contract.listViews, {})).toMatchObject([
      { name: 'pump', state: { tags: [3], from: 1, until: 2 } },
      { id, name: 'Spike 2', eid: null, state, mayEdit: true, updatedBy: 'Ming Li' },
    ])
    const other = site.as(await site.createUser())
    expect(await other.call(contract.listViews, {})).toEqual([])
    expect((await failureOf(other, contract.updateView, { id, name: 'Mine' })).http).toBe(404)
    expect((await failureOf(other, contract.deleteView, { id })).http).toBe(404)
    await person.call(contract.deleteView, { id })
    expect(await person.call(contract.listViews, {})).toHaveLength(1)
    expect((await failureOf(person, contract.deleteView, { id })).http).toBe(404)
  })

  it('of an enterprise are seen by its members and changed by its managers', async () => {
    const { eid } = await site.createEnterprise()
    const manager = site.as(await site.createMember(eid, 'member', ['manage']))
    const member = site.as(await site.createMember(eid))
    const stranger = site.as(await site.createUser())
    const { id } = await manager.call(contract.createView, { name: 'Line 1', eid, state })
    expect(await member.call(contract.listViews, { eid })).toMatchObject([{ id, eid, mayEdit: false }])
    expect((await failureOf(member, contract.updateView, { id, state })).http).toBe(403)
    expect((await failureOf(member, contract.deleteView, { id })).http).toBe(403)
    expect((await failureOf(member, contract.createView, { name: 'x', eid, state })).http).toBe(403)
    expect((await failureOf(stranger, contract.listViews, { eid })).http).toBe(403)
    expect((await failureOf(stranger, contract.updateView, { id, state })).http).toBe(404)
    await manager.call(contract.updateView, { id, state: { tags: [9], last: 60_000 } })
    expect((await member.call(contract.listViews, { eid }))[0]?.state).toEqual({ tags: [9], last: 60_000 })
  })

  it('have one span: the last stretch, or one between two instants', async () => {
    const person = site.as(await site.createUser())
    const wrong = [
      { tags: [1] },
      { tags: [1], last: 60_000, from: 1, until: 2 },
      { tags: [1], from: 2, until: 1 },
      { tags: [], last: 60_000 },
    ]
    for (const one of wrong)
      expect((await failureOf(person, contract.createView, { name: 'x', state: one })).http).toBe(400)
  })

  it('are 200 of a person at most', async () => {
    const user = await site.createUser()
    const row = { user_id: user.userId, name: 'x', state: JSON.stringify(state), updated_at: new Date() }
    await site.db.insertInto('views').values(Array(viewLimits.viewsPerSpace).fill(row)).execute()
    const failure = await failureOf(site.as(user), contract.createView, { name: 'One more', state })
    expect(failure.code).toBe('VIEWS_FULL')
  })
})
