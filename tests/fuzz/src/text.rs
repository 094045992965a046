//! Boards and moves as text.

use tailback::board::{Board, Reader};
use tailback::probe::read_moves;

/// A board in any form: what is read prints so that it reads back the same, and a
/// move there and back changes nothing.
pub fn board(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for reader in [Reader::default(), Reader::with_primary('A'), Reader::with_primary('x')] {
        let Ok(board) = reader.read(&text) else { continue };
        assert_eq!(reader.read(&board.text()).as_ref(), Ok(&board));
        assert_eq!(reader.read(&board.to_string()).as_ref(), Ok(&board));
        assert_eq!(board.mirrored().mirrored(), board);
        for mv in board.moves() {
            let after = board.apply(mv).expect("it is on the list of moves");
            assert_eq!(after.apply(mv.reversed()).as_ref(), Ok(&board));
            assert_eq!(reader.read(&after.text()).as_ref(), Ok(&after));
            assert_eq!(board.parse_move(&board.notation(mv)), Ok(mv));
        }
    }
    // Signs that cannot be mistaken are what they are.
    let plain = text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == 'o' { '.' } else { c });
    let plain: String = plain.collect();
    if let Ok(board) = Board::parse(&text)
        && text.contains("AA")
        && text.chars().all(|c| c.is_whitespace() || c == '.' || c == 'o' || c.is_ascii_uppercase())
        && text.contains('.')
    {
        assert_eq!(plain, board.text());
    }
}

/// A board on the first line, a game on the others: moves are read as they are
/// written, and what is played is legal.
pub fn moves(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (board, game) = text.split_once('\n').unwrap_or((&text, ""));
    let Ok(mut board) = Board::parse(board) else { return };
    let Ok(moves) = read_moves(&board, game) else { return };
    let written: Vec<String> = moves.iter().map(|&mv| board.notation(mv)).collect();
    assert_eq!(read_moves(&board, &written.join(" ")).as_ref(), Ok(&moves));
    for mv in moves {
        let legal = board.moves().contains(&mv);
        match board.apply(mv) {
            Ok(after) => {
                assert!(legal, "{}\n{board}", board.notation(mv));
                assert_eq!(Board::parse(&after.text()).as_ref(), Ok(&after));
                board = after;
            }
            Err(_) => assert!(!legal, "{}\n{board}", board.notation(mv)),
        }
    }
}
