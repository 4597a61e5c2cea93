import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { IconButton } from '../../shared/ui/button.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { CountrySelect } from '../../shared/ui/fields/country-select.tsx'
import { isComposing } from '../../shared/ui/keys.ts'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { placePanel } from '../../shared/ui/place-panel.ts'
import { hasDialCode } from '../account/account-form.ts'
import { type Friend, foundFriendsQuery, friendsPerPicker } from './friend-queries.ts'
import css from './person-field.module.css'
import { isNameLike, type PersonInput } from './person-input.ts'

interface PersonFieldProps {
  label: string
  /** By which a form finds it. */
  name?: string
  value: PersonInput
  onChange: (value: PersonInput) => void
  error?: string | undefined
}

/**
 * A field for a person: part of a friend's name, remark or masked account, picked from a list, or a whole account. ↑ ↓
 * choose, Enter picks, Esc closes only the list.
 */
export function PersonField({ label, name = 'account', value, onChange, error }: PersonFieldProps) {
  const t = useText().account.picker
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isWanted, want] = useState(false)
  const [chosenId, choose] = useState<number>()
  const { friend, text, countryCode } = value
  const search = friend ? '' : text.trim()
  const { data: friends = [], isPlaceholderData } = useQuery(foundFriendsQuery(search))
  // Marked by id, because the list may have changed when Enter is pressed. An account is sent as typed, but a name needs
  // a picked friend: the first result for the current text is marked.
  const isFirstMarked = chosenId === undefined && isNameLike(text) && !isPlaceholderData
  const place = isFirstMarked ? 0 : friends.findIndex(({ userid }) => userid === chosenId)
  const isOpen = isWanted && !friend && friends.length > 0

  function type(next: string) {
    onChange({ text: next, countryCode })
    choose(undefined)
    want(next.trim() !== '')
  }

  function pick(picked: Friend) {
    onChange({ text: picked.name, countryCode, friend: picked })
    want(false)
  }

  function clear() {
    onChange({ text: '', countryCode })
    choose(undefined)
    input.current?.focus()
  }

  function onKey(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent) || friend) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const picked = isOpen ? friends[place] : undefined
    if (step && friends.length > 0) {
      event.preventDefault()
      want(true)
      const from = isOpen ? place : -1
      const next = from < 0 && step < 0 ? friends.length - 1 : (from + step + friends.length) % friends.length
      choose(friends[next]?.userid)
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && picked) {
      event.preventDefault()
      pick(picked)
    } else if (event.key === 'Escape' && isOpen) {
      // Closes only the list, not the dialog around the field.
      event.preventDefault()
      event.stopPropagation()
      want(false)
    }
  }

  return (
    <div>
      <TextField
        ref={input}
        label={label}
        name={name}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && friends[place] ? `${listId}-${place}` : undefined}
        placeholder={t.placeholder}
        value={text}
        error={error}
        onChange={type}
        onKeyDown={onKey}
        onBlur={() => want(false)}
        before={
          friend ? (
            <span className={css.sign}>
              <Avatar name={friend.name} size={24} />
            </span>
          ) : (
            hasDialCode(text) && (
              <CountrySelect value={countryCode} onChange={(code) => onChange({ text, countryCode: code })} />
            )
          )
        }
        after={
          friend ? (
            <IconButton className={css.button} icon="close" label={t.clear(friend.name)} onClick={clear} />
          ) : (
            search === '' &&
            friends.length > 0 && (
              <IconButton
                className={css.button}
                icon="chevronDown"
                label={t.show}
                // The field keeps the focus, and with it the keys.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => {
                  input.current?.focus()
                  want(!isWanted)
                }}
              />
            )
          )
        }
      />
      {friend && (
        <Text as="p" tone="soft" size="12/18" breaks className={css.picked}>
          {[t.friend, friend.accountMasked, friend.remark].filter(Boolean).join(' · ')}
        </Text>
      )}
      {isOpen && (
        <FriendList
          id={listId}
          friends={friends}
          place={place}
          field={input}
          onPoint={choose}
          onPick={pick}
        />
      )}
      <p className="sr-only" role="status">
        {isOpen ? t.found(friends.length) : ''}
      </p>
    </div>
  )
}

interface FriendListProps {
  id: string
  friends: readonly Friend[]
  place: number
  field: RefObject<HTMLInputElement | null>
  onPoint: (friendId: number) => void
  onPick: (friend: Friend) => void
}

function FriendList({ id, friends, place, field, onPoint, onPick }: FriendListProps) {
  const t = useText().account.picker
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const put = () => placePanel(panel.current, field.current?.parentElement?.getBoundingClientRect())
    put()
    panel.current?.showPopover()
    addEventListener('resize', put)
    document.addEventListener('scroll', put, true)
    return () => {
      removeEventListener('resize', put)
      document.removeEventListener('scroll', put, true)
    }
  }, [field])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press anywhere in it leaves the focus in the field
    <div ref={panel} popover="manual" className={css.panel} onMouseDown={(event) => event.preventDefault()}>
      <div id={id} role="listbox" aria-label={t.list}>
        {friends.map((friend, at) => (
          <Row
            key={friend.userid}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === place}
            pad="4 8"
            gap={10}
            className={css.option}
            onPointerMove={() => onPoint(friend.userid)}
            onClick={() => onPick(friend)}
          >
            <Avatar name={friend.name} size={28} />
            <Stack as="span" grows>
              <Text size={13} leading={18} weight={500} cut>
                {friend.name}
              </Text>
              <Text tone="quiet" size="12/16" className={`${css.minor} cut`}>
                {[friend.accountMasked, friend.remark].filter(Boolean).join(' · ')}
              </Text>
            </Stack>
          </Row>
        ))}
      </div>
      {friends.length === friendsPerPicker && (
        <Text as="p" padY={6} padX={8} tone="quiet" size="12/16">
          {t.more}
        </Text>
      )}
    </div>
  )
}
