# The program in an image: the explorer by default, any command by its name.
#
#   docker build -t tailback .
#   docker run --rm -p 127.0.0.1:8064:8064 -v tailback:/db tailback
#   docker run --rm -v tailback:/db tailback build
#
# The volume holds the tables; without any the server answers from its starter and by search.
FROM rust:1-slim-bookworm AS build
WORKDIR /tailback
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
COPY --from=build /tailback/target/release/tailback /usr/local/bin/
COPY LICENSE /usr/share/doc/tailback/
RUN useradd --uid 10001 tailback && install -d -o tailback /db
USER 10001:10001
ENV TAILBACK_DB=/db
VOLUME /db
EXPOSE 8064
ENTRYPOINT ["tailback"]
CMD ["serve", "--addr", "0.0.0.0:8064"]
