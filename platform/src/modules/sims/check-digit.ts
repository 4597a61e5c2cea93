/** Whether the last of 20 digits is not the check digit of the others (ISO/IEC 7812-1, annex B). */
export function hasWrongCheckDigit(iccid: string): boolean {
  if (!/^\d{20}$/.test(iccid)) return false
  const sum = [...iccid].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 !== 0
}
