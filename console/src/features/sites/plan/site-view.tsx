import { sites } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { call } from '../../../shared/api/client.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Menu, MenuItem } from '../../../shared/ui/menu/menu.tsx'
import { Tabs } from '../../../shared/ui/tabs/tabs.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { useAct } from '../../../shared/ui/use-act.ts'
import { placesOf } from '../draft.ts'
import { type Site, type SitePlan, siteKey } from '../site-queries.ts'
import { useSitesText } from '../sites-text.ts'
import { useDraft } from '../use-draft.ts'
import { useSiteSync } from '../use-site-sync.ts'
import { useSitesSearch } from '../use-sites-search.ts'
import { MachineCard } from './machine-card.tsx'
import { PlacedList } from './placed-list.tsx'
import css from './plan.module.css'
import { PlanCanvas, type PlanHandle } from './plan-canvas.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { UnplacedList } from './unplaced-list.tsx'

interface SiteViewProps {
  site: Site
  machines: ReadonlyMap<number, Machine>
  space: PageSpace
}

type Opened =
  | { readonly kind: 'add' | 'leave' }
  | { readonly kind: 'change' | 'remove'; readonly plan: SitePlan }

/** A site: its plans as tabs, the chosen one with its machines, and the card of one of them. */
export function SiteView({ site, machines, space }: SiteViewProps) {
  const words = useSitesText()
  const t = words.site
  const [search, update] = useSitesSearch()
  const [opened, setOpened] = useState<Opened>()
  const canvas = useRef<PlanHandle>(null)
  const draft = useDraft(site)
  const isEditing = site.mayEdit && search.edit === true
  const plan = site.plans.find(({ id }) => id === search.plan) ?? site.plans[0]
  const places = placesOf(site, isEditing ? draft.changes : new Map())
  const marks = [...places].flatMap(([machineId, { planId, x, y }]) => {
    const machine = machines.get(machineId)
    return machine && planId === plan?.id ? [{ machine, x, y }] : []
  })
  const chosen = marks.find(({ machine }) => machine.id === search.machine)?.machine
  const choose = (machine: number | undefined) => update({ machine }, { replace: true })

  const ownName = useQuery(personQuery).data?.name
  useSiteSync(site.id, site.revision, ({ by, deleted }) => {
    if (by !== ownName) showToast(deleted ? t.deletedBy(by) : t.changed(by), 'info')
  })

  /** The mark takes the focus once it is drawn, so that arrow keys move it. */
  const [placed, setPlaced] = useState<number>()
  useEffect(() => {
    if (placed !== undefined) canvas.current?.focusMark(placed)
  }, [placed])
  function place(machineId: number, at: { x: number; y: number }) {
    if (!plan) return
    draft.place(machineId, { planId: plan.id, ...at })
    choose(machineId)
    setPlaced(machineId)
  }

  const leave = () => update({ site: undefined, plan: undefined, machine: undefined, edit: undefined })

  const order = useAct({
    call: (ids: readonly number[]) =>
      call(sites.orderPlans, { id: site.id, order: [...ids], revision: site.revision }),
    done: () => undefined,
    touched: [siteKey(site.id)],
  })
  const at = site.plans.findIndex(({ id }) => id === plan?.id)
  const movePlan = (by: number) => {
    const ids = site.plans.map(({ id }) => id)
    if (plan) order.mutate(ids.filter((id) => id !== plan.id).toSpliced(at + by, 0, plan.id))
  }

  return (
    <>
      <Row gap={8} wraps shrinks className={css.head}>
        <IconButton
          icon="chevronLeft"
          label={t.back}
          onClick={() => (isEditing && draft.count > 0 ? setOpened({ kind: 'leave' }) : leave())}
        />
        <h2 className={`${css.title} cut`}>{site.name}</h2>
        <Text tone="quiet" size={12} cut>
          {site.address}
        </Text>
        <Row gap={8} wraps justify="end" className={css.acts}>
          {isEditing && draft.count > 0 && (
            <Text tone="soft" size={12} role="status">
              {words.edit.dirty(draft.count)}
            </Text>
          )}
          {isEditing && plan && (
            <Menu label={t.planMenu} trigger={<IconButton icon="more" label={t.planMenu} />}>
              <MenuItem onAction={() => setOpened({ kind: 'change', plan })}>{t.rename}</MenuItem>
              {at > 0 && <MenuItem onAction={() => movePlan(-1)}>{t.left}</MenuItem>}
              {at < site.plans.length - 1 && <MenuItem onAction={() => movePlan(1)}>{t.right}</MenuItem>}
              <MenuItem danger onAction={() => setOpened({ kind: 'remove', plan })}>
                {t.removePlan}
              </MenuItem>
            </Menu>
          )}
          {isEditing && draft.count > 0 && <Button onClick={draft.discard}>{words.edit.discard}</Button>}
          {isEditing && draft.count > 0 && (
            <Button kind="primary" busy={draft.isSaving} onClick={draft.save}>
              {words.edit.save}
            </Button>
          )}
          {isEditing && draft.count === 0 && (
            <Button onClick={() => update({ edit: undefined }, { replace: true })}>{words.edit.done}</Button>
          )}
          {isEditing && plan && (
            <Button icon="plus" onClick={() => setOpened({ kind: 'add' })}>
              {t.addPlan}
            </Button>
          )}
          {site.mayEdit && !isEditing && plan && (
            <Button kind="primary" icon="edit" onClick={() => update({ edit: true }, { replace: true })}>
              {t.edit}
            </Button>
          )}
        </Row>
      </Row>
      {plan ? (
        <Tabs
          label={t.plans}
          tabs={site.plans.map(({ id, name }) => ({ id: String(id), label: name }))}
          chosen={String(plan.id)}
          onChoose={(id) => update({ plan: Number(id), machine: undefined }, { replace: true })}
        >
          <div className={css.columns}>
            <PlanCanvas
              key={plan.id}
              ref={canvas}
              plan={plan}
              marks={marks}
              chosen={chosen?.id}
              onChoose={choose}
              edit={
                isEditing
                  ? {
                      move: (machineId, to) => draft.place(machineId, { planId: plan.id, ...to }),
                      takeOff: draft.takeOff,
                    }
                  : undefined
              }
            />
            <Stack gap={14} shrinks>
              {chosen && (
                <MachineCard
                  machine={chosen}
                  space={space}
                  onClose={() => choose(undefined)}
                  onTakeOff={isEditing ? () => draft.takeOff(chosen.id) : undefined}
                />
              )}
              {!chosen && !isEditing && (
                <PlacedList machines={marks.map(({ machine }) => machine)} onChoose={choose} />
              )}
              {isEditing && (
                <UnplacedList
                  site={site}
                  places={places}
                  machines={machines}
                  space={space}
                  onDrop={(machineId, client) => {
                    const point = canvas.current?.pointAt(client)
                    if (point) place(machineId, point)
                  }}
                  onPlace={(machineId) => place(machineId, canvas.current?.centre() ?? { x: 0.5, y: 0.5 })}
                />
              )}
            </Stack>
          </div>
        </Tabs>
      ) : (
        <EmptyState icon="image" title={t.noPlan} hint={site.mayEdit ? t.noPlanHint : t.noPlanMember}>
          {site.mayEdit && (
            <Button kind="primary" icon="plus" onClick={() => setOpened({ kind: 'add' })}>
              {t.addPlan}
            </Button>
          )}
        </EmptyState>
      )}
      {opened?.kind === 'leave' && (
        <ConfirmDialog
          confirmation={{
            title: t.leaveAsk,
            body: words.edit.dirty(draft.count),
            action: words.edit.discard,
            call: async () => leave(),
          }}
          onClose={() => setOpened(undefined)}
          onSettled={async () => undefined}
        />
      )}
      {opened?.kind === 'remove' && (
        <ConfirmDialog
          confirmation={{
            title: t.removePlanAsk(opened.plan.name),
            body: t.removePlanHint,
            action: t.removePlan.replace('…', ''),
            done: t.removedPlan(opened.plan.name),
            call: () =>
              call(sites.deletePlan, { id: site.id, planId: opened.plan.id, revision: site.revision }),
          }}
          onClose={() => setOpened(undefined)}
          onSettled={draft.reload}
        />
      )}
      {(opened?.kind === 'add' || opened?.kind === 'change') && (
        <PlanDialog
          site={site}
          {...(opened.kind === 'change' && { plan: opened.plan })}
          onClose={() => setOpened(undefined)}
          onAdded={(id) => update({ plan: id, edit: true, machine: undefined }, { replace: true })}
        />
      )}
    </>
  )
}
