import { annotations as contract, viewLimits } from '@busbar/contract'
import { failureOf } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, it } from 'vitest'
import { changeOwner } from '../access/index.ts'

const site = useSite()

const span = { from: 1_000_000, to: 2_000_000 }
const text = 'Spike after the tool change'

async function openMachine() {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  return { owner, machineId, akey: site.as(owner) }
}

async function visitorOf(machineId: number) {
  const user = await site.createHolder(machineId, { role: 'visitor' }, { name: 'Visitor' })
  return site.as(user)
}

describe('notes on the past of devices', () => {
  it('of a visitor are seen by everybody who may see the values, and changed by their author alone', async () => {
    const { machineId, akey } = await openMachine()
    const [author, other] = [await visitorOf(machineId), await visitorOf(machineId)]
    const { id } = await author.call(contract.createAnnotation, { machineIds: [machineId], ...span, text })
    const asked = { machineIds: [machineId], from: 0, to: 3_000_000 }
    const common = { id, machineIds: [machineId], ...span, text, by: 'Visitor', at: expect.any(Number) }
    expect(await other.call(contract.listAnnotations, asked)).toEqual([
      { ...common, editedAt: null, mayEdit: false, mayHide: [] },
    ])
    for (const person of [other, akey]) {
      expect((await failureOf(person, contract.updateAnnotation, { id, text: 'No' })).http).toBe(403)
      expect((await failureOf(person, contract.deleteAnnotation, { id })).http).toBe(403)
    }
    await author.call(contract.updateAnnotation, { id, text: 'Mine' })
    expect(await akey.call(contract.listAnnotations, asked)).toMatchObject([
      { text: 'Mine', editedAt: expect.any(Number), mayEdit: false, mayHide: [machineId] },
    ])
    await author.call(contract.deleteAnnotation, { id })
    expect(await author.call(contract.listAnnotations, asked)).toEqual([])
  })

  it('on two devices were changed and deleted by the key of one, who hides them there only now', async () => {
    const [own, theirs] = [await openMachine(), await openMachine()]
    const author = await site.createUser()
    for (const { machineId } of [own, theirs])
      await site.grantMachine(author.userId, machineId, { role: 'visitor' })
    const machineIds = [own.machineId, theirs.machineId]
    const { id } = await site.as(author).call(contract.createAnnotation, { machineIds, ...span, text })
    const hide = (machineId: number) => ({ id, machineId })
    const shown = (person: typeof own) =>
      person.akey.call(contract.listAnnotations, { machineIds: [person.machineId], ...span })
    expect((await failureOf(theirs.akey, contract.hideAnnotation, hide(own.machineId))).http).toBe(403)
    await theirs.akey.call(contract.hideAnnotation, hide(theirs.machineId))
    expect(await shown(theirs)).toEqual([])
    expect(await shown(own)).toMatchObject([{ text, machineIds: [own.machineId] }])
    expect((await failureOf(theirs.akey, contract.hideAnnotation, hide(theirs.machineId))).http).toBe(404)
    await own.akey.call(contract.hideAnnotation, hide(own.machineId))
    expect(await site.db.selectFrom('annotations').select('id').where('id', '=', id).execute()).toEqual([])
    const entries = await site.db
      .selectFrom('audit_entries')
      .select(['action', 'detail'])
      .where('target', '=', String(id))
      .where('action', '=', 'annotation.hide')
      .orderBy('id')
      .execute()
    expect(entries.map(({ detail }) => detail)).toEqual([
      { machineId: theirs.machineId },
      { machineId: own.machineId },
    ])
  })

  it('of a visitor were put into other words by a read-only key, without a trace', async () => {
    const { machineId } = await openMachine()
    const author = await visitorOf(machineId)
    const reader = await site.createHolder(machineId, { role: 'bkey', readOnly: true })
    const { id } = await author.call(contract.createAnnotation, { machineIds: [machineId], ...span, text })
    const key = site.as(reader)
    expect((await failureOf(key, contract.updateAnnotation, { id, text: 'On purpose' })).http).toBe(403)
    await failureOf(key, contract.hideAnnotation, { id, machineId })
    expect(await key.call(contract.listAnnotations, { machineIds: [machineId], ...span })).toMatchObject([
      { text, mayEdit: false, mayHide: [] },
    ])
  })

  it('keep 20 former texts for everybody who sees them, and their changes in the audit log without words', async () => {
    const { machineId, akey } = await openMachine()
    const author = await visitorOf(machineId)
    const { id } = await author.call(contract.createAnnotation, { machineIds: [machineId], ...span, text })
    for (let change = 1; change <= viewLimits.versionsPerAnnotation + 1; change++)
      await author.call(contract.updateAnnotation, { id, text: `Words ${change}` })
    const versions = await akey.call(contract.listAnnotationVersions, { id })
    expect(versions).toHaveLength(viewLimits.versionsPerAnnotation)
    expect(versions[0]?.text).toBe(`Words ${viewLimits.versionsPerAnnotation}`)
    expect(versions.at(-1)?.text).toBe('Words 1')
    const stranger = site.as(await site.createUser())
    expect((await failureOf(stranger, contract.listAnnotationVersions, { id })).http).toBe(404)
    const entries = await site.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', '=', 'annotation.update')
      .where('target', '=', String(id))
      .execute()
    expect(entries).toHaveLength(viewLimits.versionsPerAnnotation + 1)
    expect(JSON.stringify(entries)).not.toContain('Words')
  })

  it('are hidden from a stranger, and from an author who lost the right', async () => {
    const { machineId, akey } = await openMachine()
    const leaver = await site.createHolder(machineId, { role: 'visitor' })
    const { id } = await site
      .as(leaver)
      .call(contract.createAnnotation, { machineIds: [machineId], ...span, text })
    await site.db.deleteFrom('machine_grants').where('user_id', '=', leaver.userId).execute()
    const asked = { machineIds: [machineId], ...span }
    for (const person of [site.as(leaver), site.as(await site.createUser())]) {
      expect((await failureOf(person, contract.listAnnotations, asked)).http).toBe(403)
      expect((await failureOf(person, contract.createAnnotation, { ...asked, text })).http).toBe(403)
      expect((await failureOf(person, contract.updateAnnotation, { id, text })).http).toBe(404)
      expect((await failureOf(person, contract.deleteAnnotation, { id })).http).toBe(404)
    }
    expect(await akey.call(contract.listAnnotations, asked)).toHaveLength(1)
  })

  it('on several devices name those in the request, and a reader of one of them sees the note', async () => {
    const one = await openMachine()
    const two = await site.createMachine({ owner: one.owner.userId })
    const machineIds = [one.machineId, two.machineId]
    await one.akey.call(contract.createAnnotation, { machineIds, ...span, text })
    const visitor = await visitorOf(two.machineId)
    expect(
      await visitor.call(contract.listAnnotations, { machineIds: [two.machineId], ...span }),
    ).toMatchObject([{ machineIds: [two.machineId], text }])
    const both = await one.akey.call(contract.listAnnotations, { machineIds, ...span })
    expect(both).toMatchObject([{ machineIds: machineIds.toSorted((a, b) => a - b) }])
  })

  it('touch the requested span, and end after they begin', async () => {
    const { machineId, akey } = await openMachine()
    const machineIds = [machineId]
    await akey.call(contract.createAnnotation, { machineIds, ...span, text })
    const list = (from: number, to: number) => akey.call(contract.listAnnotations, { machineIds, from, to })
    expect(await list(0, span.from)).toHaveLength(1)
    expect(await list(span.to, span.to + 1)).toHaveLength(1)
    expect(await list(0, span.from - 1)).toEqual([])
    expect(await list(span.to + 1, span.to + 2)).toEqual([])
    const wrong = { machineIds, from: 2, to: 1, text }
    expect((await failureOf(akey, contract.createAnnotation, wrong)).code).toBe('ANNOTATION_SPAN')
  })

  it('are 2,000 of a device at most', async () => {
    const { machineId, akey } = await openMachine()
    const at = new Date(0)
    const rows = await site.db
      .insertInto('annotations')
      .values(
        Array.from({ length: viewLimits.annotationsPerMachine }, () => ({
          from_at: at,
          to_at: at,
          text,
          created_at: at,
        })),
      )
      .returning('id')
      .execute()
    await site.db
      .insertInto('annotation_machines')
      .values(rows.map(({ id }) => ({ machine_id: machineId, annotation_id: id })))
      .execute()
    const more = { machineIds: [machineId], ...span, text }
    expect((await failureOf(akey, contract.createAnnotation, more)).code).toBe('ANNOTATIONS_FULL')
  })

  it('of the former owner’s time are not shown to the next owner, and stay on the other devices', async () => {
    const { owner, machineId, akey } = await openMachine()
    const kept = await site.createMachine({ owner: owner.userId })
    const alone = { machineIds: [machineId], ...span, text: 'Alone' }
    const { id } = await akey.call(contract.createAnnotation, alone)
    await akey.call(contract.createAnnotation, { machineIds: [machineId, kept.machineId], ...span, text })
    const next = await site.createUser()
    const { facts } = site.platform
    await site.db
      .transaction()
      .execute((trx) => changeOwner({ trx, facts }, machineId, { userId: next.userId }, new Date()))
    const asked = { machineIds: [machineId], from: 0, to: 3_000_000 }
    expect(await site.as(next).call(contract.listAnnotations, asked)).toEqual([])
    expect((await failureOf(site.as(next), contract.deleteAnnotation, { id })).http).toBe(404)
    expect(
      await akey.call(contract.listAnnotations, { ...asked, machineIds: [kept.machineId] }),
    ).toMatchObject([{ text, machineIds: [kept.machineId] }])
    expect(await site.db.selectFrom('annotations').select('id').where('id', '=', id).execute()).toEqual([])
  })
})
