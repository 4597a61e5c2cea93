import { useState } from 'react'
import { Button, IconButton } from '../../src/shared/ui/button.tsx'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../../src/shared/ui/menu/menu.tsx'
import { Popover } from '../../src/shared/ui/popover/popover.tsx'
import { Tabs } from '../../src/shared/ui/tabs/tabs.tsx'
import { ToggleButtons } from '../../src/shared/ui/toggle-group/toggle-buttons.tsx'
import { ToggleGroup } from '../../src/shared/ui/toggle-group/toggle-group.tsx'
import css from './kit-page.module.css'
import { KitPart } from './kit-part.tsx'
import { t } from './kit-text.ts'

/** Menus and popovers. */
export function KitMenus() {
  const [last, setLast] = useState('')
  const [order, setOrder] = useState<'name' | 'state'>('name')
  const [presses, setPresses] = useState(0)
  return (
    <>
      <KitPart name={t.parts.menu}>
        <Menu label={t.device} trigger={<Button icon="sliders">{t.device}</Button>}>
          <MenuItem icon="edit" hint="F2" onAction={() => setLast(t.rename)}>
            {t.rename}
          </MenuItem>
          <MenuItem icon="copy" onAction={() => setLast(t.copy)}>
            {t.copy}
          </MenuItem>
          <MenuItem icon="ban" disabled>
            {t.disabled}
          </MenuItem>
          <MenuLine />
          <MenuChoices label={t.sort} isLabelShown value={order} onChange={setOrder}>
            <MenuItem id="name">{t.byName}</MenuItem>
            <MenuItem id="state">{t.byState}</MenuItem>
          </MenuChoices>
          <MenuLine />
          <MenuItem icon="trash" danger onAction={() => setLast(t.remove)}>
            {t.remove}
          </MenuItem>
        </Menu>
        <Menu
          label={t.longPress}
          longPress
          trigger={<Button onClick={() => setPresses((n) => n + 1)}>{t.longPress}</Button>}
        >
          <MenuItem onAction={() => setLast(t.edit)}>{t.edit}</MenuItem>
        </Menu>
        <output>{[last, presses > 0 && t.pressed(presses)].filter(Boolean).join(' · ')}</output>
      </KitPart>
      <KitPart name={t.parts.popover}>
        <Popover label={t.details} trigger={<IconButton bordered icon="info" label={t.details} />}>
          {(close) => (
            <>
              <p className={css.field}>{t.detailsBody}</p>
              <Button size="small" onClick={close}>
                {t.close}
              </Button>
            </>
          )}
        </Popover>
      </KitPart>
    </>
  )
}

/** Tabs. */
export function KitTabs() {
  const [tab, setTab] = useState<'values' | 'history' | 'alarms' | 'raw'>('values')
  return (
    <KitPart name={t.parts.tabs}>
      <div className={css.wide}>
        <Tabs
          label={t.parts.tabs}
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { id: 'values', label: t.values, count: 42 },
            { id: 'history', label: t.history },
            { id: 'alarms', label: t.alarms, count: 3 },
            { id: 'raw', label: t.raw, disabled: true },
          ]}
        >
          <p>{t.panel(t[tab])}</p>
        </Tabs>
      </div>
    </KitPart>
  )
}

/** Segments for one value and for several. */
export function KitToggles() {
  const [size, setSize] = useState<'small' | 'medium' | 'large'>('medium')
  const [days, setDays] = useState<readonly string[]>(['0', '2'])
  return (
    <KitPart name={t.parts.toggles}>
      <ToggleGroup
        label={t.size}
        value={size}
        onChange={setSize}
        options={[
          { value: 'small', label: t.small, count: 2 },
          { value: 'medium', label: t.medium, count: 14 },
          { value: 'large', label: t.large, disabled: true },
        ]}
      />
      <ToggleButtons
        label={t.days}
        size="small"
        values={days}
        onChange={setDays}
        options={t.dayNames.map((label, place) => ({ value: String(place), label }))}
      />
    </KitPart>
  )
}
