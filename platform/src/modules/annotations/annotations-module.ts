import { annotations as contract, viewLimits } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import { bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { type AccessPort, maySet } from '../access/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import * as store from './annotations-store.ts'

/**
 * Notes on stretches of machines' past. Everybody who may see the values of one of its machines sees a note. Its author
 * alone changes its words; a key takes it off their machine. The next owner of a machine sees only notes from their own
 * time (rules/data-centre.md: notes).
 */
export function createAnnotationsModule(
  { db }: Kernel,
  { access }: { readonly access: Pick<AccessPort, 'list' | 'listVisible'> },
): Module {
  /** A note of which the caller may see a machine; throws 404. Rights are read before a transaction begins. */
  const findSeen = async (userId: number, id: number, now: number) => {
    const note = await store.findAnnotation(db, id)
    if (!note || (await access.listVisible(userId, note.machineIds, now)).size === 0) throw new Failure('404')
    return note
  }

  /** Does something to a note of the caller's, under its lock and with its audit entry. @throws Failure 403, 404 */
  const changeOwn = async (
    context: Actor,
    id: number,
    action: 'annotation.update' | 'annotation.delete',
    change: (trx: store.Db, note: store.StoredAnnotation) => Promise<void>,
  ) => {
    const { userId } = await findSeen(context.user.userId, id, context.now)
    if (userId !== context.user.userId) throw new Failure('403')
    return withTransaction(db, async (trx) => {
      await store.lockAnnotation(trx, id)
      const note = await store.findAnnotation(trx, id)
      if (!note) throw new Failure('404')
      await change(trx, note)
      await auditAct(trx, context, {
        action,
        target: String(id),
        detail: { machineIds: note.machineIds.join() },
      })
      return {}
    })
  }

  return {
    name: 'annotations',
    roles: ['api'],
    follows: [
      onNextOwner('annotations.ownerChanged', (trx, { machineId }) => store.removeOfMachine(trx, machineId)),
    ],
    routes: [
      bind(contract.listAnnotations, async ({ machineIds, from, to }, { user, now }) => {
        const ids = [...new Set(machineIds)]
        const rights = await access.list(user.userId, ids, now)
        const mayHide = (machineId: number) => maySet(rights.get(machineId))
        const span = { from: new Date(from), to: new Date(to) }
        const notes = await store.listAnnotations(db, ids, span, viewLimits.annotationsPerList)
        return notes.map((note) => ({
          id: note.id,
          machineIds: [...note.machineIds],
          from: note.from.getTime(),
          to: note.to.getTime(),
          text: note.text,
          by: note.by,
          at: note.createdAt.getTime(),
          editedAt: note.editedAt?.getTime() ?? null,
          mayEdit: note.userId === user.userId,
          mayHide: note.machineIds.filter(mayHide),
        }))
      }),

      bind(contract.createAnnotation, async ({ machineIds, from, to, text }, context) => {
        if (to < from) throw new Failure('ANNOTATION_SPAN')
        const ids = [...new Set(machineIds)].sort((a, b) => a - b)
        return withTransaction(db, async (trx) => {
          await store.lockMachines(trx, ids)
          if ((await store.countMost(trx, ids)) >= viewLimits.annotationsPerMachine)
            throw new Failure('ANNOTATIONS_FULL')
          const id = await store.insertAnnotation(trx, {
            machineIds: ids,
            from: new Date(from),
            to: new Date(to),
            text,
            userId: context.user.userId,
            createdAt: new Date(context.now),
          })
          return { id }
        })
      }),

      bind(contract.listAnnotationVersions, async ({ id }, { user, now }) => {
        await findSeen(user.userId, id, now)
        const versions = await store.listVersions(db, id)
        return versions.map(({ text, replacedAt }) => ({ text, until: replacedAt.getTime() }))
      }),

      bind(contract.updateAnnotation, ({ id, text }, context) =>
        changeOwn(context, id, 'annotation.update', async (trx, note) => {
          const at = new Date(context.now)
          if (text !== note.text)
            await store.updateAnnotation(trx, { id, text, at }, viewLimits.versionsPerAnnotation)
        }),
      ),

      bind(contract.hideAnnotation, ({ id, machineId }, context) =>
        withTransaction(db, async (trx) => {
          await store.lockAnnotation(trx, id)
          const note = await store.findAnnotation(trx, id)
          if (!note?.machineIds.includes(machineId)) throw new Failure('404')
          await store.removeOfMachine(trx, machineId, id)
          await auditAct(trx, context, {
            action: 'annotation.hide',
            target: String(id),
            detail: { machineId },
          })
          return {}
        }),
      ),

      bind(contract.deleteAnnotation, ({ id }, context) =>
        changeOwn(context, id, 'annotation.delete', (trx) => store.removeAnnotation(trx, id)),
      ),
    ],
  }
}
