import { annotations as contract, viewLimits } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import { bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import { auditAct } from '../audit/index.ts'
import * as store from './annotations-store.ts'

/**
 * Notes on stretches of machines' past. Everybody who may see the values of one of its machines sees a note; its author
 * and the keys of its machines change it. The next owner of a machine sees only notes from their own time
 * (rules/data-centre.md: notes).
 */
export function createAnnotationsModule(
  { db }: Kernel,
  { access }: { readonly access: Pick<AccessPort, 'list' | 'on'> },
): Module {
  /** A note that the caller may change; throws 404 where they may not see it, and 403. */
  const findEditable = async (trx: store.Db, userId: number, id: number, now: number) => {
    const note = await store.findAnnotation(trx, id)
    const rights = note && (await access.on(trx).list(userId, note.machineIds, now))
    const has = (right: 'visitor+' | 'bkey+') =>
      note?.machineIds.some((machineId) => rights?.get(machineId)?.rights.has(right)) ?? false
    if (!note || !has('visitor+')) throw new Failure('404')
    if (note.userId !== userId && !has('bkey+')) throw new Failure('403')
    return note
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
        const isKey = (machineId: number) => rights.get(machineId)?.rights.has('bkey+') ?? false
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
          mayEdit: note.userId === user.userId || note.machineIds.some(isKey),
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

      bind(contract.updateAnnotation, ({ id, text }, { user, now }) =>
        withTransaction(db, async (trx) => {
          await findEditable(trx, user.userId, id, now)
          await store.updateAnnotation(trx, id, text)
          return {}
        }),
      ),

      bind(contract.deleteAnnotation, ({ id }, context) =>
        withTransaction(db, async (trx) => {
          const { machineIds } = await findEditable(trx, context.user.userId, id, context.now)
          await store.removeAnnotation(trx, id)
          await auditAct(trx, context, {
            action: 'annotation.delete',
            target: String(id),
            detail: { machineIds: machineIds.join() },
          })
          return {}
        }),
      ),
    ],
  }
}
