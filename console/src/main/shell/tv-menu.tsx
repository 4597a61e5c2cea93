import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/language.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../../shared/ui/menu/menu.tsx'
import { menuSections, useFeatures } from './features.ts'
import { useSpaceEntries } from './space-menu.tsx'
import css from './tv-menu.module.css'
import { useSpaces } from './use-spaces.ts'

/** Replaces the side menu on a TV box: one button of the header opens the list of all spaces and pages. */
export function TvMenu() {
  const text = useText()
  const t = text.app.menu
  const { space, enterprises, enter } = useSpaces()
  const pages = usePages()
  return (
    <Menu
      label={t.tv}
      trigger={
        <button type="button" className={css.button} data-remote-start>
          <Icon name="tv" />
          {t.tv}
          <Icon name="chevronDown" size={14} />
        </button>
      }
    >
      {enterprises.length > 0 && (
        <>
          <MenuChoices
            label={t.switchAccount}
            value={String(space?.eid ?? 0)}
            onChange={(eid) => enter(Number(eid))}
          >
            <MenuItem id="0">{t.personal}</MenuItem>
            {enterprises.map(({ eid, name }) => (
              <MenuItem key={eid} id={String(eid)}>
                <span className="cut">{name}</span>
              </MenuItem>
            ))}
          </MenuChoices>
          <MenuLine />
        </>
      )}
      {pages.map(({ key, icon, label, open }) => (
        <MenuItem key={key} icon={icon} onAction={open}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** The pages of the current space, as in the side menu. */
function usePages() {
  const text = useText()
  const navigate = useNavigate()
  const { space } = useSpaces()
  const features = useFeatures()
  const ofSpace = useSpaceEntries(space)
  const own = menuSections(space !== undefined).flatMap((section) =>
    features.filter((feature) => feature.section === section),
  )
  return [
    ...(space ? ofSpace : []).map(({ key, icon, label, to, search }) => ({
      key,
      icon,
      label,
      open: () => void navigate({ to, search }),
    })),
    ...own.map(({ path, icon, label }) => ({
      key: path,
      icon,
      label: label(text),
      open: () => void navigate({ to: path }),
    })),
  ]
}
