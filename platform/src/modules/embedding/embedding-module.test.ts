import { projects } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'
import { createEmbeddingPort } from './embedding-module.ts'
import { isMember } from './embedding-store.ts'

const site = useSite()

test('a visit in a portal is not taken for ended while links cannot be read', async () => {
  const links = { ...site.platform.projects.links, catchUp: async () => {}, isTrusted: () => false }
  const port = createEmbeddingPort({ links })
  const of = { projectId: 1, linkId: 1, keyId: 1, userId: 1, machineId: 1 }
  await expect(port.find(site.db, of, Date.now())).rejects.toMatchObject({ code: '503' })
})

test('an owner who left the enterprise of a project does not enter by its portal', async () => {
  const { eid, owner } = await site.createEnterprise()
  await site.db.updateTable('enterprises').set({ enable_project: true }).where('id', '=', eid).execute()
  const { id } = await site.as(owner).call(projects.createProject, { name: 'Line', eid, type: 1 })
  expect(await isMember(site.db, id, owner.userId)).toBe(true)
  await site.db.deleteFrom('enterprise_members').where('user_id', '=', owner.userId).execute()
  expect(await isMember(site.db, id, owner.userId)).toBe(false)
})
