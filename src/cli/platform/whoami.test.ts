import { expect, test } from 'vitest'
import { berth, words } from '../harness.suite.ts'
import { furnishedPlane } from '../planes.suite.ts'

test('says the role and the projects of the token', async () => {
  const { out } = await berth(words('whoami'), { control: furnishedPlane })
  expect(out).toMatch(/^\S+: admin in all projects, expires /)
  const asked = await berth(words('whoami -o json'), { control: furnishedPlane })
  expect(JSON.parse(asked.out)).toMatchObject({ role: 'admin', projects: ['*'] })
})
