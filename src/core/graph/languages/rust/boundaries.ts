import type { BoundaryRule, LibraryLoop } from '../language';

/** What Rust harnesses call outside themselves; the first rule that fits wins. Builders end in what is named last. */
export const rustBoundaries: readonly BoundaryRule[] = [
  {
    kind: 'model',
    names:
      /^(?<library>async_openai|openai_api_rs|openai_dive|anthropic_sdk|anthropic|misanthropy|clust|ollama_rs|mistralai_client|groq_api_rust)\b.*\.(?<method>create\w*|chat\w*|send\w*|generate\w*|stream\w*|messages)$/,
  },
  { kind: 'model', names: /^(?<library>genai)\b.*\.(?<method>exec_chat\w*|exec_embed\w*)$/ },
  {
    kind: 'model',
    names: /^(?<library>rig)\b.*\.(?<method>prompt|chat|completion|stream_\w+|multi_turn|send|extract)$/,
  },
  {
    kind: 'model',
    names: /^(?<library>aws_sdk_bedrockruntime)\b.*\.(?<method>converse|converse_stream|invoke_model\w*|send)$/,
  },
  {
    kind: 'model',
    names:
      /^(?<library>langchain_rust|llm|llm_chain|swiftide|kalosm|mistralrs|edgequake_llm)\b.*\.(?<method>invoke|call|generate\w*|chat\w*|stream\w*|complete\w*|prompt)$/,
  },
  {
    kind: 'process',
    names:
      /^(?<library>(?:std|tokio|async_std|smol)\.process\.Command|async_process\.Command|command_group\.\w+)\b.*\.(?<method>new|spawn|output|status|exec|group_spawn)$/,
  },
  {
    kind: 'process',
    names: /^(?<library>(?:std|tokio)\.process\.Child)\b.*\.(?<method>wait|wait_with_output|kill|start_kill)$/,
  },
  {
    kind: 'process',
    names:
      /^(?<library>portable_pty|pty_process|expectrl|rexpect)\b.*\.(?<method>openpty|spawn\w*|native_pty_system|new)$/,
  },
  {
    kind: 'process',
    names:
      /^(?<library>bollard|docker_api|shiplift|kube)\b.*\.(?<method>create_\w+|start_\w+|exec|attach_\w+|wait_\w+|stop_\w+|kill_\w+|connect_\w+)$/,
  },
  { kind: 'process', names: /^(?<library>nix|libc|rustix)\b.*\.(?<method>kill|killpg|fork|execv\w*|forkpty)$/ },
  {
    kind: 'process',
    names:
      /^(?<library>duct|xshell|subprocess|openssh|russh|landlock)\b.*\.(?<method>cmd|run|read|exec|spawn|start|restrict_self)$/,
  },
  {
    kind: 'filesystem',
    names:
      /^(?<library>(?:std|tokio|async_std|fs_err)\.fs(?:\.\w+)?|fs_err|fs_extra)\b.*\.(?<method>read\w*|write\w*|open|create\w*|remove\w*|rename|copy|metadata|canonicalize|try_exists|set_permissions|hard_link|symlink\w*)$/,
  },
  {
    kind: 'filesystem',
    names: /^(?<library>ignore\.WalkBuilder|walkdir\.WalkDir|jwalk\.WalkDir)\b.*\.(?<method>build\w*|new)$/,
  },
  {
    kind: 'filesystem',
    names:
      /^(?<library>glob|tempfile|notify|memmap2)\b.*\.(?<method>glob|new|tempdir|tempfile|watch|map|recommended_watcher)$/,
  },
  {
    kind: 'filesystem',
    names:
      /^(?<library>rusqlite|sqlx|diesel|sled|redb)\b.*\.(?<method>open\w*|execute\w*|query\w*|connect|fetch_\w+|prepare|first|load|get_result)$/,
  },
  {
    kind: 'network',
    names:
      /^(?<library>reqwest|reqwest_middleware|ureq|isahc|surf|hyper|hyper_util)\b.*\.(?<method>send|execute|get|call|request|eventsource)$/,
  },
  {
    kind: 'network',
    names:
      /^(?<library>reqwest_eventsource|eventsource_stream|tokio_tungstenite|tungstenite|tonic)\b.*\.(?<method>new|connect\w*|eventsource)$/,
  },
  { kind: 'network', names: /^(?<library>(?:std|tokio)\.net(?:\.\w+)?)\b.*\.(?<method>connect|bind|accept)$/ },
  {
    kind: 'clock',
    names:
      /^(?<library>(?:std|tokio)\.time(?:\.\w+)?|chrono\.\w+|time\.\w+|std\.thread)\.(?<method>now|sleep|sleep_until|timeout|interval|now_utc|now_local)$/,
  },
  {
    kind: 'random',
    names:
      /^(?<library>rand|fastrand|getrandom|uuid|nanoid|ulid)\b.*\.(?<method>random\w*|rng|thread_rng|gen|gen_range|new_v\d|now_v\d|nanoid|new|shuffle|choose|fill\w*|u32|u64|usize)$/,
  },
];

/** Libraries whose call repeats until the model asks for no more tools. */
export const rustLibraryLoops: readonly LibraryLoop[] = [
  { call: /^rig\.(?:prompt|chat|multi_turn|stream_\w+)$/, tools: /(^|\.)(tool|tools|dynamic_tools)$/ },
];

export const rustBuiltinMethods: ReadonlySet<string> = new Set(
  (
    'abs all and and_then any append args arg as_bytes as_deref as_deref_mut as_mut as_path as_ref as_slice as_str as_u64 as_i64 as_f64 as_array ' +
    'as_object as_bool await borrow borrow_mut boxed bytes ceil chain char_indices chars checked_add checked_sub chunks clamp clear clone cloned cmp ' +
    'collect compare_exchange concat contains contains_key context copied count current_dir cycle dedup default deref display drain drop duration_since ' +
    'elapsed ends_with entry enumerate env eq err eq_ignore_ascii_case exists expect expect_err extend extension extend_from_slice fetch_add fetch_sub ' +
    'file_name file_stem fill filter filter_map find find_map first flat_map flatten floor flush fmt fold for_each from from_str from_utf8 fuse get get_mut ' +
    'get_or_init get_or_insert_with group hash insert inspect inspect_err into into_boxed_str into_bytes into_inner into_iter into_owned into_string intersperse is_absolute ' +
    'is_alphabetic is_alphanumeric is_ascii is_char_boundary is_dir is_empty is_err is_file is_none is_none_or is_ok is_ok_and is_some is_some_and is_whitespace iter iter_mut join ' +
    'keys last len lines load lock log map map_err map_or map_or_else map_while matches max max_by max_by_key min min_by min_by_key ne next next_back nth ok ok_or ok_or_else ' +
    'or or_default or_else or_insert or_insert_with parent parse partial_cmp partition peek peekable path_segments poll pop pop_back pop_front position powi product push push_back push_front ' +
    'push_str put rchunks read read_line read_to_end read_to_string recv remove repeat replace replacen reserve resize retain rev reverse rfind rposition round rsplit rsplitn ' +
    'rsplit_once saturating_add saturating_sub scan send serialize set skip skip_while sort sort_by sort_by_key sort_unstable split split_at split_off split_once split_whitespace splitn sqrt ' +
    'starts_with status stderr stdin stdout step_by store strip_prefix strip_suffix sum swap swap_remove take take_while then then_some to_ascii_lowercase to_ascii_uppercase ' +
    'to_bytes to_le_bytes to_lowercase to_owned to_path_buf to_str to_string to_string_lossy to_uppercase to_vec to_value trim trim_end trim_end_matches trim_matches trim_start ' +
    'trim_start_matches truncate try_from try_into try_lock try_recv try_send unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else unzip update values values_mut ' +
    'wait windows with_capacity with_context with_extension wrapping_add write write_all write_fmt write_str zip downcast_ref downcast type_id source instrument abort notify_one notify_waiters notified ' +
    'parse_from try_parse_from try_parse subscribe spawn kill id pipe with'
  ).split(' '),
);

export const rustBuiltins: ReadonlySet<string> = new Set(
  (
    'Some None Ok Err Box Vec String Option Result Default Clone Copy Debug Display Iterator IntoIterator From Into TryFrom TryInto AsRef AsMut Drop Fn FnMut FnOnce ' +
    'ToString ToOwned PartialEq Eq PartialOrd Ord Hash Send Sync Sized Extend FromIterator drop bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 ' +
    'assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne cfg column compile_error concat dbg env eprint eprintln file format format_args include include_bytes ' +
    'include_str line matches module_path option_env panic print println stringify thread_local todo try unimplemented unreachable vec write writeln'
  ).split(' '),
);
