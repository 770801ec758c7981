import { expect, it } from 'vitest';
import { searchableKind } from '../../../../src/core/locate/ranking';

it.each([
  ['src/agent.py', 'code'],
  ['packages/core/src/loop.ts', 'code'],
  ['internal/agent/agent.go', 'code'],
  ['crates/app/src/lib.rs', 'code'],
  ['tools/search/bin/find_file', 'code'],
  ['templates/system.hbs', 'text'],
  ['src/config/default.yaml', 'text'],
  ['internal/agent/tools/view.md', 'text'],
  ['forge.yaml', 'text'],
  ['mkdocs.yml', undefined],
  ['README.md', undefined],
  ['src/README.md', undefined],
  ['docs/guide.md', undefined],
  ['tests/test_agent.py', undefined],
  ['src/agent_test.go', undefined],
  ['src/loop.test.ts', undefined],
  ['.github/workflows/ci.yml', undefined],
  ['src/types.d.ts', undefined],
  ['pyproject.toml', undefined],
  ['image.png', undefined],
])('%s is %s', (path, kind) => {
  expect(searchableKind(path)).toBe(kind);
});
