import { brands, operator as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { auditAct } from '../audit/index.ts'
import * as service from './machine-types-service.ts'
import { type Db, listTypes } from './machine-types-store.ts'
import { presentMap, presentTypes, sortTypes } from './machine-types-views.ts'
import { listBuiltIn } from './pictures.ts'

/** The calls for the map of machine types, which everybody reads and operators edit. */
export function machineTypesRoutes(db: Db): Binding[] {
  return [
    bind(brands.listIcons, async ({ version }) => {
      const map = presentMap(await listTypes(db))
      return map.version === version ? { notModified: true as const } : map
    }),

    bind(contract.listMachineTypes, async ({ page, pageSize, search, sort, only }, { lang }) => {
      const wished = search?.toLowerCase() ?? ''
      const found = presentTypes(await listTypes(db))
        .filter((row) => only !== 'patterns' || row.pattern !== '')
        .filter((row) => only !== 'overlaps' || row.losesTo.length > 0)
        .filter(({ type, name, pattern }) =>
          [type, name.cn, name.en, pattern].some((text) => text.toLowerCase().includes(wished)),
        )
      const list = sortTypes(found, sort, lang).slice((page - 1) * pageSize, page * pageSize)
      return { list, total: found.length, page, pageSize, builtIn: listBuiltIn() }
    }),

    bind(contract.createMachineType, async (fields, context) => {
      const id = await db.transaction().execute(async (trx) => {
        const made = await service.createType(trx, fields)
        const detail = { id: made, type: fields.type, pattern: fields.pattern, place: fields.place }
        await auditAct(trx, context, { action: 'machineType.create', target: fields.name.en, detail })
        return made
      })
      return { id }
    }),

    bind(contract.updateMachineType, async ({ id, ...fields }, context) => {
      await db.transaction().execute(async (trx) => {
        await service.updateType(trx, id, fields)
        const detail = { id, type: fields.type, pattern: fields.pattern, place: fields.place }
        await auditAct(trx, context, { action: 'machineType.update', target: fields.name.en, detail })
      })
      return {}
    }),

    bind(contract.removeMachineType, async ({ id }, context) => {
      await db.transaction().execute(async (trx) => {
        const target = await service.removeType(trx, id)
        await auditAct(trx, context, { action: 'machineType.remove', target, detail: { id } })
      })
      return {}
    }),

    bind(contract.findMachineType, async ({ code }) => {
      const { found, registered } = await service.findTypeOfCode(db, code)
      const rows = found ? presentTypes(await listTypes(db)) : []
      return {
        machineType: rows.find(({ id }) => id === found?.rule.id) ?? null,
        by: found?.by ?? null,
        registered: registered !== undefined,
        saysType: registered ?? '',
      }
    }),
  ]
}
