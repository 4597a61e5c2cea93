let isKey = false

for (const [kind, byKey] of [
  ['keydown', true],
  ['pointerdown', false],
] as const)
  document.addEventListener(
    kind,
    () => {
      isKey = byKey
    },
    true,
  )

/** Whether the person used the keyboard last: what they open takes the focus, since no hand is on it. */
export const isByKey = (): boolean => isKey
