import { enterprises, projects } from '@busbar/contract'
import { projectDetailText as detailCn } from '../../console/src/shared/i18n/cn/project-detail.ts'
import { projectsText as cn } from '../../console/src/shared/i18n/cn/projects.ts'
import { projectDetailText as detailEn } from '../../console/src/shared/i18n/en/project-detail.ts'
import { projectsText as en } from '../../console/src/shared/i18n/en/projects.ts'
import { opened } from './console-screens.ts'
import type { Screen } from './screen.ts'
import { clientOf, type View } from './view.ts'

/** The texts of projects, which come with their pages. */
const words = { cn: { ...cn, detail: detailCn }, en: { ...en, detail: detailEn } } as const

async function openSubject({ page }: View, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('main').locator('[data-subject], [role="row"]').first().waitFor()
}

type ProjectPart = keyof typeof en.parts

/** Opens a part of the demo's own project. */
async function openPart(view: View, part: ProjectPart): Promise<void> {
  const client = await clientOf(view)
  const [first] = await client.call(projects.listProjects, {})
  if (!first) throw new Error('the demo has no project')
  await openSubject(view, `/project/${first.id}${part === 'overview' ? '' : `/${part}`}`)
}

const part = (name: ProjectPart): Screen => ({
  name: name === 'overview' ? 'project' : `project-${name}`,
  signedIn: true,
  arrive: (view) => openPart(view, name),
})

/** A dialog over a part of the project. */
const dialog = (name: string, of: ProjectPart, button: (view: View) => string): Screen => ({
  name,
  signedIn: true,
  async arrive(view) {
    await openPart(view, of)
    await view.page.getByRole('button', { name: button(view), exact: true }).click()
    await view.page.getByRole('dialog').waitFor()
  },
})

export const projectScreens: readonly Screen[] = [
  { name: 'projects', signedIn: true, arrive: (view) => openSubject(view, '/project/?eid=0') },
  {
    name: 'projects-enterprise',
    signedIn: true,
    async arrive(view) {
      const client = await clientOf(view)
      const [space] = await client.call(enterprises.listUserEnterprises, {})
      await openSubject(view, `/project/?type=1&eid=${space?.eid}`)
    },
  },
  {
    name: 'projects-new',
    signedIn: true,
    async arrive(view) {
      await openSubject(view, '/project/?eid=0')
      await view.page.getByRole('button', { name: words[view.lang].list.add }).click()
      await view.page.getByRole('dialog').waitFor()
    },
  },
  part('overview'),
  part('machines'),
  part('people'),
  part('destinations'),
  part('deliveries'),
  part('embedding'),
  part('developers'),
  part('settings'),
  dialog('project-machines-add', 'machines', ({ lang }) => words[lang].detail.machines.add),
  dialog('project-people-add', 'people', ({ lang }) => words[lang].detail.people.add),
  dialog('project-key', 'settings', ({ lang }) => words[lang].detail.settings.keyChange),
  {
    name: 'keys-projects',
    signedIn: true,
    arrive: (view) =>
      openSubject(view, `/administrateCenter?machineId=${opened.machineIds?.[view.lang]}&tab=projects`),
  },
]
