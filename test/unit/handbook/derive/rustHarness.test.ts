/** What the Rust of a harness holds besides its behaviours: traits, tests beside the code, and a build script. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltHarness, placesOf } from '../../../fixtureHarness';
import { harnessOf } from './harnessOf';
import { harnessSources } from './harnessSources';

const source = harnessSources.find(({ file }) => file.endsWith('.rs'));

const beside = `
pub trait Truncation {
    fn truncate_text(&self, text: String) -> String;
}

pub struct Cutter;

impl Truncation for Cutter {
    fn truncate_text(&self, text: String) -> String {
        text.chars().take(4000).collect()
    }
}

pub struct AgentExecutor;

#[cfg(test)]
mod tests {
    use super::*;

    fn truncate_result(text: String) -> String {
        text.chars().take(10).collect()
    }

    fn check_limits(cost: f64, cost_limit: f64) -> Result<(), String> {
        if cost >= cost_limit {
            return Err("Cost limit exceeded".to_string());
        }
        Ok(())
    }

    #[test]
    fn truncate_output_cuts() {
        assert_eq!(truncate_output(truncate_result("a".to_string())), "a");
    }
}
`;

describe('a harness in Rust', () => {
  let harness: BuiltHarness;
  beforeAll(async () => {
    if (!source) throw new Error('There is no harness in Rust among the sources.');
    const build = 'fn main() {\n    println!("cargo:rerun-if-changed=build.rs");\n}\n';
    harness = await harnessOf({ [source.file]: source.text + beside, 'build.rs': build });
  });
  afterAll(() => harness.remove());

  it('takes a method for what it does, not the trait that only asks for it', () => {
    const places = placesOf(harness.map, 'truncation');
    expect(places).toContain(`${source?.file}#Cutter.truncate_text`);
    expect(places).not.toContain(`${source?.file}#Truncation.truncate_text`);
  });

  it('takes no test beside the code for a behaviour', () => {
    const places = placesOf(harness.map, 'truncation');
    expect(places).toContain(`${source?.file}#truncate_output`);
    expect(places.filter((place) => place.includes('truncate_result') || place.includes('_cuts'))).toEqual([]);
    expect(placesOf(harness.map, 'limits').filter((place) => place.includes('check_limits'))).toEqual([]);
  });

  it('starts in its program, not in the script that Cargo runs to build it', () => {
    expect(placesOf(harness.map, 'entry')).toEqual([`${source?.file}#main`]);
  });

  it('does not say that there are no sub-agents where code is named for agents that are run', async () => {
    expect(harness.map.notFound).not.toContain('No sub-agents.');
    const plain = await harnessOf({ [source?.file ?? '']: source?.text ?? '' });
    await plain.remove();
    expect(plain.map.notFound).toContain('No sub-agents.');
  });
});
