import { mayInEnterprise } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { permissionQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { formatLength } from '../../entities/history/history-text.ts'
import type { Variable } from '../../entities/history/variables.ts'
import { useText } from '../../shared/i18n/index.ts'
import { getZone } from '../../shared/i18n/zone.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { useLayoutKind } from '../../shared/ui/layout-kind.ts'
import { Menu, MenuItem } from '../../shared/ui/menu/menu.tsx'
import { Select } from '../../shared/ui/select/select.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { BoardDialog } from './board-dialog.tsx'
import { CompareDialog } from './compare-dialog.tsx'
import css from './explorer.module.css'
import { useExplorerText } from './explorer-text.ts'
import { type ComparePreset, comparePresets, type ExplorerSearch } from './search.ts'
import type { UpdateExplorer } from './use-explorer-search.ts'
import { ViewNameDialog } from './view-name-dialog.tsx'
import { emptySearch, stateOf } from './view-queries.ts'

interface ExplorerBarProps {
  space: PageSpace
  tags: readonly Variable[]
  range: TimeRange
  search: ExplorerSearch
  onPick: () => void
  onChange: UpdateExplorer
}

type Comparison = 'none' | ComparePreset | 'own' | 'now'

/** Choice of variables, display and comparison, and the ways from here to boards, exports and reports. */
export function ExplorerBar({ space, tags, range, search, onPick, onChange }: ExplorerBarProps) {
  const words = useText().history
  const layout = useLayoutKind()
  const t = useExplorerText()
  const [dialog, open] = useState<'compare' | 'board' | 'save'>()
  const { compare } = search
  const { eid } = space.asked
  const { data: permission } = useQuery({ ...permissionQuery(eid ?? 0), enabled: eid !== undefined })
  const mayEdit = eid === undefined || mayInEnterprise(permission, 'manage')
  const preset = (Object.keys(comparePresets) as ComparePreset[]).find(
    (name) => comparePresets[name] === compare,
  )
  const comparison: Comparison = compare === undefined ? 'none' : (preset ?? 'now')
  const choices: { value: Comparison; label: string }[] = [
    { value: 'none', label: t.compare.none },
    { value: 'day', label: t.compare.day },
    { value: 'week', label: t.compare.week },
    ...(comparison === 'now' && compare
      ? [{ value: 'now' as const, label: t.compare.by(formatLength(compare, words)) }]
      : []),
    { value: 'own', label: t.compare.own },
  ]

  const navigate = useNavigate()
  const tagIds = tags.map(({ tagId }) => tagId)
  const showViews = () => onChange(emptySearch)
  const uses = (
    <>
      <MenuItem icon="cards" onAction={() => open('board')}>
        {t.board.action}
      </MenuItem>
      <MenuItem
        icon="download"
        onAction={() =>
          void navigate({
            to: '/dataCenter/exports',
            search: {
              eid: eid ?? 0,
              tags: tagIds.join(),
              from: Math.round(range.from),
              to: Math.round(range.to),
              tz: getZone(),
            },
          })
        }
      >
        {t.exports}
      </MenuItem>
      {mayEdit && (
        <MenuItem
          icon="clock"
          onAction={() =>
            void navigate({
              to: '/dataCenter/reports',
              search: { eid: eid ?? 0, add: true, tags: tagIds },
            })
          }
        >
          {t.reports}
        </MenuItem>
      )}
    </>
  )

  function chooseComparison(value: Comparison) {
    if (value === 'own') open('compare')
    else if (value === 'none') onChange({ compare: undefined })
    else if (value !== 'now') onChange({ compare: comparePresets[value] })
  }

  return (
    <div className={css.bar}>
      <Button icon="plus" size="small" onClick={onPick}>
        {t.pick}
      </Button>
      <ToggleGroup
        label={t.form.label}
        size="small"
        value={search.form === 'xy' ? 'xy' : 'curves'}
        onChange={(form) => onChange({ form: form === 'xy' ? 'xy' : undefined, x: undefined, y: undefined })}
        options={[
          { value: 'curves', label: t.form.curves },
          { value: 'xy', label: t.form.xy },
        ]}
      />
      {search.form !== 'xy' && (
        <>
          <Select
            label={t.compare.label}
            isLabelHidden
            size="small"
            className={css.compare}
            choices={choices}
            value={comparison}
            onChange={chooseComparison}
          />
          {search.form !== 'table' && (
            <Row as="span" gap={8} inline tone="soft" size={13}>
              <Switch
                label={t.apart}
                checked={search.apart === true}
                onChange={(isApart) => onChange({ apart: isApart || undefined }, { replace: true })}
              />
              {t.apart}
            </Row>
          )}
        </>
      )}
      <span className={css.space} />
      {layout === 'narrow' ? (
        <Menu
          label={t.more}
          placement="bottom end"
          trigger={<IconButton icon="more" size="small" bordered label={t.more} />}
        >
          <MenuItem icon="list" onAction={showViews}>
            {t.views.all}
          </MenuItem>
          {mayEdit && (
            <MenuItem icon="star" onAction={() => open('save')}>
              {t.views.save}
            </MenuItem>
          )}
          {uses}
        </Menu>
      ) : (
        <>
          <Button size="small" onClick={showViews}>
            {t.views.all}
          </Button>
          {mayEdit && (
            <Button size="small" icon="star" onClick={() => open('save')}>
              {t.views.save}
            </Button>
          )}
          <Menu
            label={t.use}
            placement="bottom end"
            trigger={
              <Button size="small">
                {t.use}
                <Icon name="chevronDown" size={14} />
              </Button>
            }
          >
            {uses}
          </Menu>
        </>
      )}
      {dialog === 'compare' && (
        <CompareDialog
          first={compare}
          onApply={(byMs) => {
            open(undefined)
            onChange({ compare: byMs })
          }}
          onClose={() => open(undefined)}
        />
      )}
      {dialog === 'save' && (
        <ViewNameDialog
          space={space}
          of={{ state: stateOf(search, Math.round(range.to - range.from)) }}
          onClose={() => open(undefined)}
        />
      )}
      {dialog === 'board' && (
        <BoardDialog
          space={space}
          mayEdit={mayEdit}
          tags={tags}
          range={range}
          search={search}
          onClose={() => open(undefined)}
        />
      )}
    </div>
  )
}
